//! HTTP: the guard, /mcp, /sse, /api.
