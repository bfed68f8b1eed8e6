// Answers each item of the benchmark with emoji-mart's own search and prints answers and times as JSON.
// Usage: node emoji_mart.mjs ITEMS LIMIT WALKS, run in a folder with emoji-mart and @emoji-mart/data installed.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const require = createRequire(pathToFileURL(join(process.cwd(), "x.js")));
const begun = process.cpuUsage();
const { init, SearchIndex } = require("emoji-mart");
await init({ data: require("@emoji-mart/data") });
await SearchIndex.search("warm");
const loaded = process.cpuUsage(begun);
const [items, limit, walks] = [process.argv[2], Number(process.argv[3]), process.argv[4]];
const read = (path) => readFileSync(path, "utf8").split("\n").filter(Boolean).map((line) => JSON.parse(line));
const ask = async (query) => {
  const found = await SearchIndex.search(query, { maxResults: limit });
  return (found ?? []).map((emoji) => emoji.skins[0].native);
};
const results = {};
const ms = [];
for (const item of read(items)) {
  results[item.id] = await ask(item.query);
  // Every third query as it is typed, as for the other engines.
}
for (const [place, item] of read(items).entries()) {
  if (place % 3) continue;
  for (let length = 1; length <= item.query.length; length += 1) {
    const start = process.hrtime.bigint();
    await ask(item.query.slice(0, length));
    ms.push(Number(process.hrtime.bigint() - start) / 1e6);
  }
}
const typed = {};
for (const walk of read(walks)) {
  for (let length = 1; length <= walk.name.length; length += 1) {
    const query = walk.name.slice(0, length);
    typed[query] ??= await ask(query);
  }
}
console.log(JSON.stringify({ load_ms: (loaded.user + loaded.system) / 1000, results, ms, typed }));
