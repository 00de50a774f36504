// A coding agent's MCP client, over streamable HTTP: as little as the protocol asks for.

let requests = 0;

export class Agent {
  static async connect(url, handle, room) {
    const agent = new Agent();
    Object.assign(agent, { url: `${url}/mcp`, handle, room });
    const clientInfo = { name: 'browser-tests', version: '1' };
    await agent.ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
    await agent.post({ method: 'notifications/initialized' });
    return agent;
  }

  // Calls a tool; a refusal is an answer like another.
  async call(tool, args = {}) {
    const isOfRoom = tool !== 'init_conversation' && !tool.startsWith('context_');
    const room = isOfRoom ? { room: this.room } : {};
    const { structuredContent, content } = await this.ask('tools/call', { name: tool, arguments: { ...room, ...args } });
    return structuredContent ?? JSON.parse(content[0].text);
  }

  // Speaks, and goes on. Who addresses nobody expects no answer.
  async say(content, rest = {}) {
    return (await this.send(content, rest)).posted.seq_id;
  }

  async send(content, rest) {
    const words = { sender: this.handle, content, expects_reply: content.includes('@'), block: false };
    const answer = await this.call('send_message', { ...words, ...rest });
    if (!answer.posted) throw new Error(`${this.handle} could not say it: ${JSON.stringify(answer)}`);
    return answer;
  }

  // Asks a person, and waits until it has the answer: whoever is quick has answered before the question is confirmed.
  async askAndWait(question, rest = {}) {
    const fromUser = ({ new_messages: news = [] }) => news.find((message) => message.sender === '@user');
    const sent = await this.send(question, rest);
    const woken = fromUser(sent) ? sent : await this.wait();
    const answer = fromUser(woken);
    if (!answer) throw new Error(`${this.handle} was woken by something else: ${JSON.stringify(woken)}`);
    return answer;
  }

  wait(rest = {}) {
    return this.call('wait_for_turn', { handle: this.handle, timeout_seconds: 60, ...rest });
  }

  // Publishes a record of a task, which must be taken in.
  async publish(task, role, type, summary, { body = summary, agent = this.handle, model, ...payload } = {}) {
    const record = { task_id: task, role, content_type: type, payload: { summary, body, ...payload }, agent };
    const answer = await this.call('context_publish', { ...record, ...(model ? { model } : {}) });
    if (!answer.version) throw new Error(`${this.handle} could not publish it: ${JSON.stringify(answer)}`);
    return answer;
  }

  // Makes a task whose parts are played by these.
  async task(title, rest = {}) {
    const cast = { architect: '@Ada', executor: '@Bob', reviewer: '@Carol' };
    const task = { title, description: title, creator: '@user', role: 'human', cast };
    const answer = await this.call('context_create', { ...task, ...rest });
    if (!answer.task_id) throw new Error(`there is no task: ${JSON.stringify(answer)}`);
    return answer.task_id;
  }

  pass(to) {
    return this.call('pass_turn', { handle: this.handle, ...(to ? { to } : {}) });
  }

  async ask(method, params) {
    const id = ++requests;
    const answer = await this.post({ id, method, params });
    this.session ??= answer.headers.get('mcp-session-id');
    const text = await answer.text();
    const lines = answer.headers.get('content-type')?.startsWith('text/event-stream')
      ? text.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trim())
      : [text];
    const found = lines.filter(Boolean).map((line) => JSON.parse(line)).find((message) => message.id === id);
    if (!found?.result) throw new Error(`${method}: ${text}`);
    return found.result;
  }

  post(message) {
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    if (this.session) Object.assign(headers, { 'mcp-session-id': this.session, 'mcp-protocol-version': '2025-06-18' });
    return fetch(this.url, { method: 'POST', headers, body: JSON.stringify({ jsonrpc: '2.0', ...message }) });
  }
}
