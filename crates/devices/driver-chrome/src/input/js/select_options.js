// Selects exactly the options with the texts, labels or values `wanted` in the list `this`, or in the list that it labels, and
// returns their labels. Nothing changes unless the list has every one of them. A closed list, which shows one option, is not changed:
// it is operated like a field. `change` and `optionsOf` are the functions in change.js and options.js.
async function (wanted) {
  const unwritable = (why) => ({ is: "unwritable", why });
  const refused = (why) => ({ is: "refused", why });
  if (!this.isConnected || !this.ownerDocument.defaultView) return { is: "gone" };
  const list = this.localName === "label" && this.control ? this.control : this;
  if (list.localName !== "select") return unwritable(`a ${list.localName} is no list of options (select); click opens its menu, if it has one`);
  if (list.matches(":disabled")) return refused("the list is disabled");
  const normalize = (text) => String(text).replace(/\s+/g, " ").trim();
  const { all: options, labelOf, find } = optionsOf(list);
  // The number of characters to change, add or remove, as far as 64 characters.
  const distance = (left, right) => {
    const [from, to] = [left, right].map((text) => [...text.toLowerCase().slice(0, 64)]);
    let row = [...to.keys(), to.length];
    from.forEach((one, index) => {
      const next = [index + 1];
      to.forEach((other, at) => next.push(Math.min(next[at] + 1, row[at + 1] + 1, row[at] + (one === other ? 0 : 1))));
      row = next;
    });
    return row[to.length];
  };
  const chosen = [];
  for (const name of wanted) {
    const { option, why } = find(name);
    if (why) return unwritable(why);
    if (!option) {
      const names = options.map(labelOf);
      const nearest = [...names].sort((left, right) => distance(left, name) - distance(right, name)).slice(0, 6);
      const more = names.length > nearest.length ? ` and ${names.length - nearest.length} more` : "";
      const has = names.length ? `the nearest are ${nearest.map((each) => JSON.stringify(each)).join(", ")}${more}` : "it has none";
      return unwritable(`the list has no option ${JSON.stringify(normalize(name))}; ${has}`);
    }
    const group = option.parentElement;
    if (option.disabled || (group.localName === "optgroup" && group.disabled)) {
      return unwritable(`the option ${JSON.stringify(labelOf(option))} is disabled`);
    }
    if (chosen.includes(option)) return unwritable(`${JSON.stringify(name)} is the same option as another that was given`);
    chosen.push(option);
  }
  if (!list.multiple && wanted.length > 1) return unwritable(`the list takes one option, not ${wanted.length}`);
  if (!list.multiple && list.size <= 1) return { is: "single" };
  list.scrollIntoView({ block: "nearest", inline: "nearest", behavior: "instant" });
  const isChosen = (option) => option.selected === chosen.includes(option);
  const shown = () => [...list.selectedOptions].map(labelOf);
  if (options.every(isChosen)) return { is: "selected", labels: shown() };
  const labels = options.filter((option) => chosen.includes(option)).map(labelOf);
  await change(() => {
    for (const option of options) option.selected = chosen.includes(option);
    list.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
    list.dispatchEvent(new Event("change", { bubbles: true }));
  }, () => ({ is: options.every(isChosen) ? "selected" : "overridden", labels: shown() }));
  return { is: "pending", labels };
}
