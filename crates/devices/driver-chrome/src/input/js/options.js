// Names and finds the options of `list`. Of options with equal texts in groups, the group is part of the name: `Standard (Home)`.
(list) => {
  const normalize = (text) => String(text).replace(/\s+/g, " ").trim();
  const all = [...list.options];
  const ownLabelOf = (option) => normalize(option.label || option.text);
  const counts = new Map();
  for (const option of all) counts.set(ownLabelOf(option), (counts.get(ownLabelOf(option)) || 0) + 1);
  const labelOf = (option) => {
    const label = ownLabelOf(option);
    const group = option.parentElement;
    const isGrouped = group.localName === "optgroup" && normalize(group.label);
    return isGrouped && counts.get(label) > 1 ? `${label} (${normalize(group.label)})` : label;
  };
  // The option with a text, label or value, or why there is none.
  const find = (name) => {
    const wanted = normalize(name);
    for (const read of [(option) => normalize(option.text), ownLabelOf, labelOf]) {
      const hits = all.filter((option) => read(option) === wanted);
      if (new Set(hits.map((option) => option.value)).size > 1) {
        const names = hits.map((option) => `${JSON.stringify(labelOf(option))} (value ${JSON.stringify(option.value)})`);
        return { why: `the list has ${hits.length} options ${JSON.stringify(wanted)}; give a value: ${names.join(", ")}` };
      }
      if (hits.length) return { option: hits[0] };
    }
    const option = all.find((each) => each.value === name);
    return option ? { option } : {};
  };
  return { all, labelOf, find };
}
