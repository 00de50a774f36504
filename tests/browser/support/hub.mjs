// A hub of its own for some tests: a new data folder, a free port, the real binary. It may be killed and started
// again on the same port and folder.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Agent } from './agent.mjs';
import { until } from './until.mjs';

const BINARY = resolve(process.env.TURNROOM_BINARY ?? new URL('../../../target/debug/turnroom', import.meta.url).pathname);

let ports = 0;

// Below those that a system gives to connections, and another for each hub: it stays ours while its hub is dead.
export async function freePort() {
  for (;;) {
    const port = 12_000 + (process.pid % 100) * 200 + (ports++ % 200);
    const listener = createServer().listen(port, '127.0.0.1');
    const isFree = await once(listener, 'listening').then(() => true, () => false);
    if (!isFree) continue;
    listener.close();
    await once(listener, 'close');
    return port;
  }
}

export class Hub {
  // `notes` is the folder of its transcripts, below its own; `settings` are more of its user.
  static async start({ notes = 'notes', settings = '' } = {}) {
    const hub = new Hub();
    hub.folder = mkdtempSync(join(tmpdir(), 'turnroom-browser-'));
    hub.notes = join(hub.folder, notes);
    mkdirSync(join(hub.folder, 'home/.config/turnroom'), { recursive: true });
    // The tester's desktop shows nothing.
    writeFileSync(join(hub.folder, 'home/.config/turnroom/config.toml'), `[notices]\ndesktop = false\n${settings}`);
    hub.port = await freePort();
    hub.url = `http://127.0.0.1:${hub.port}`;
    await hub.begin();
    return hub;
  }

  // Starts it, and waits until it answers: by then everything listens.
  async begin() {
    const log = openSync(join(this.folder, 'log'), 'a');
    this.process = spawn(BINARY, ['serve', '--port', this.port, '--data-dir', join(this.folder, 'data'), '--transcripts', this.notes], {
      stdio: ['ignore', log, log],
      cwd: this.folder,
      env: { PATH: process.env.PATH, LANG: 'C.UTF-8', HOME: join(this.folder, 'home') },
    });
    closeSync(log);
    await until('the hub answers', async () => {
      if (this.process.exitCode !== null) throw new Error(`the hub has ended:\n${this.log()}`);
      return fetch(this.url).then((answer) => answer.text(), () => false);
    });
  }

  log() {
    return readFileSync(join(this.folder, 'log'), 'utf8');
  }

  // As if the power had failed for it.
  async kill(signal = 'SIGKILL') {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill(signal);
    await ended;
  }

  async end() {
    await this.kill('SIGTERM');
    rmSync(this.folder, { recursive: true, force: true });
  }

  // What a person at a terminal asks for.
  async command(name, words = {}) {
    const file = (name) => readFileSync(join(this.folder, 'data', name), 'utf8').trim();
    const headers = { authorization: `Bearer ${file('token')}`, 'x-turnroom-human': file('human-token') };
    const answer = await fetch(`${this.url}/api/commands/${name}`, { method: 'POST', headers, body: JSON.stringify(words) });
    return answer.json();
  }

  // Calls a tool as a person at a terminal does.
  async tool(name, words) {
    const file = (name) => readFileSync(join(this.folder, 'data', name), 'utf8').trim();
    const headers = { authorization: `Bearer ${file('token')}`, 'x-turnroom-human': file('human-token') };
    const answer = await fetch(`${this.url}/api/tools/${name}`, { method: 'POST', headers, body: JSON.stringify(words) });
    return answer.json();
  }

  // A link that lets one browser in.
  async link(room) {
    return (await this.command('link', room ? { room } : {})).url;
  }

  // A room that is open, and its agents; each has an MCP session of its own.
  async room(name, { agents = ['@Ada', '@Bob'], ...rules } = {}) {
    const made = await Promise.all(agents.map((handle) => Agent.connect(this.url, handle, name)));
    await made[0].call('init_conversation', { filepath: `${name}.md`, participants: agents, barrier: 0, ...rules });
    for (const agent of made) await agent.call('join_conversation', { handle: agent.handle, timeout_seconds: 0 });
    // What a wait gives from now on is news.
    for (const agent of made) await agent.wait({ timeout_seconds: 0 });
    return made;
  }

  // Everything that stands in the room, as the transcript would have it.
  async said(room) {
    const entries = [];
    for (let page; !page || page.messages.length > 0;) {
      page = await this.command('follow', { room, after_seq_id: entries.length, timeout_seconds: 0 });
      entries.push(...page.messages);
    }
    return entries;
  }
}
