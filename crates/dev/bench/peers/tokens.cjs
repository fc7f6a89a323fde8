// Counts tokens as the models of the o200k family do: a line with a JSON string in, a line with a number out.
const { countTokens } = require("gpt-tokenizer/encoding/o200k_base");
const readline = require("node:readline");

readline
  .createInterface({ input: process.stdin })
  .on("line", (line) => process.stdout.write(`${countTokens(JSON.parse(line))}\n`));
