//! The MCP server, and the stdio bridge to it.
