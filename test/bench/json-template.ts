/**
 * A JSON text in which some strings stand for what differs from one use to the next.
 *
 * @param variables as they stand in the text; the values given later are in the same order.
 */
export function jsonTemplate<Value>(
  text: string,
  variables: readonly string[],
): (values: readonly string[]) => Value {
  const anyVariable = variables.map(escapePattern).join('|');
  const parts = text.split(new RegExp(`(${anyVariable})`));
  const indexes = parts.map((part) => variables.indexOf(part));
  return (values) =>
    JSON.parse(parts.map((part, place) => values[indexes[place] ?? -1] ?? part).join(''));
}

const escapePattern = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
