// Net: the one connection to the table. It comes back by itself, asks for everything anew when something is missing,
// and sends again what was never answered, under the same id, so that nothing is done twice.

const LONGEST = 8000;
const ENDS = ["table.closed", "table.unknown"];
const code = () => Array.from(crypto.getRandomValues(new Uint8Array(9)), (one) => one.toString(36)).join("");

export class Net {
  /** `heard` gets every message of the table, `changed` the connection's state: on, off or over. */
  constructor(address, heard, changed) {
    Object.assign(this, { address, heard, changed, pending: new Map(), tries: 0, socket: null, over: false });
    this.prefix = code();
    this.count = 0;
    window.addEventListener("online", () => this.now());
  }

  open() {
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.greeted = false;
    socket.addEventListener("message", (event) => socket === this.socket && this.take(JSON.parse(event.data)));
    socket.addEventListener("close", (event) => socket === this.socket && this.lost(event));
  }

  /** Tries at once instead of waiting. */
  now() {
    if (this.over || this.socket?.readyState < WebSocket.CLOSING) return;
    clearTimeout(this.timer);
    this.open();
  }

  /** Asks for the whole table anew. */
  again() {
    const old = this.socket;
    this.socket = null;
    old?.close();
    this.open();
  }

  lost(event) {
    this.changed(this.over ? "over" : "off", event.code);
    if (this.over) return;
    const wait = Math.min(LONGEST, 300 * 2 ** this.tries) * (0.75 + Math.random() / 2);
    this.tries += 1;
    this.timer = setTimeout(() => this.open(), wait);
  }

  take(message) {
    if (message.type === "snapshot") {
      this.greeted = true;
      this.tries = 0;
      this.heard(message);
      this.changed("on");
      this.pending.forEach(({ command }) => this.write(command));
    } else if (message.type === "accepted" || message.type === "rejected") {
      const waiting = this.pending.get(message.id);
      this.pending.delete(message.id);
      waiting?.settle(message);
    } else {
      if (message.type === "bye" && ENDS.includes(message.code)) this.over = true;
      this.heard(message);
    }
  }

  write(command) {
    if (this.greeted && this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }

  /** Sends a deed, seen at this round and event; resolves with the answer, which may come after a reconnection. */
  send(deed, { round, seq }) {
    this.count += 1;
    const command = { id: `${this.prefix}.${this.count}`, round, seq, deed };
    const answer = new Promise((settle) => this.pending.set(command.id, { command, settle }));
    this.write(command);
    return answer;
  }
}
