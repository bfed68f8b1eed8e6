// xterm.js without a screen. In: frames of type (1 byte), length (4 bytes) and content: "d" output of the
// program, "s" a request for the cells. Out: "r" what the terminal answers, "s" the cells as JSON.
// node xtermjs.cjs PACKAGES COLUMNS LINES plain|unicode11|graphemes
// The graphemes addon reads its table from the start of the memory that its bytes lie in. In Node small Buffers
// share one piece of memory, so that it would read rubbish: all emoji would be one cell wide.
Buffer.poolSize = 0;
const path = require("path");
const [packages, columns, lines, widths] = process.argv.slice(2);
const load = (name) => require(path.join(packages, "node_modules", "@xterm", name));
const { Terminal } = load("headless");
const terminal = new Terminal({ cols: +columns, rows: +lines, allowProposedApi: true, scrollback: 100 });
if (widths === "unicode11") {
  terminal.loadAddon(new (load("addon-unicode11").Unicode11Addon)());
  terminal.unicode.activeVersion = "11";
} else if (widths === "graphemes") {
  terminal.loadAddon(new (load("addon-unicode-graphemes").UnicodeGraphemesAddon)());
}

function send(type, content) {
  const body = Buffer.from(content, "utf8");
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeUInt32BE(body.length, 1);
  process.stdout.write(Buffer.concat([head, body]));
}

function cells() {
  const buffer = terminal.buffer.active;
  const rows = [];
  for (let y = 0; y < terminal.rows; y++) {
    const line = buffer.getLine(buffer.baseY + y);
    const row = [];
    for (let x = 0; x < terminal.cols; x++) {
      const cell = line.getCell(x);
      row.push(cell.getWidth() === 0 ? "" : cell.getChars() || " ");
    }
    rows.push(row);
  }
  return JSON.stringify(rows);
}

terminal.onData((data) => send("r", data));
terminal.onBinary((data) => send("r", data));
let input = Buffer.alloc(0);
process.stdin.on("data", (data) => {
  input = Buffer.concat([input, data]);
  while (input.length >= 5 && input.length >= 5 + input.readUInt32BE(1)) {
    const end = 5 + input.readUInt32BE(1);
    const type = String.fromCharCode(input[0]);
    const content = input.subarray(5, end);
    input = input.subarray(end);
    if (type === "d") terminal.write(new Uint8Array(content));
    else terminal.write("", () => send("s", cells()));
  }
});
process.stdin.on("end", () => process.exit(0));
