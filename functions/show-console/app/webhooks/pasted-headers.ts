/**
 * Reads headers as people copy them: lines of `name: value`, with `< ` in front as curl prints them, or a JSON object
 * as frameworks log it. Skips other lines.
 *
 * @returns `undefined` if there's no header.
 */
export function pastedHeaders(text: string): Record<string, string> | undefined {
  const pairs = jsonPairs(text) ?? linePairs(text);
  return pairs.length > 0 ? Object.fromEntries(pairs) : undefined;
}

type Pair = readonly [name: string, value: string];

const line = /^[<>\s]*["']?([\w-]+)["']?\s*:(.*)$/;

const linePairs = (text: string): Pair[] =>
  text.split(/\r?\n/).flatMap((one) => {
    const [, name, value = ''] = line.exec(one) ?? [];
    return name ? [[name, unquoted(value.trim())] as const] : [];
  });

/** JavaScript prints objects with quotes and trailing commas. */
const unquoted = (value: string): string =>
  /^(["'])(.*)\1,?$/.exec(value)?.[2] ?? value.replace(/,$/, '');

function jsonPairs(text: string): Pair[] | undefined {
  try {
    const read: unknown = JSON.parse(text);
    if (typeof read !== 'object' || read === null) return undefined;
    return Object.entries(read).map(([name, value]) => [name, `${value}`] as const);
  } catch {
    return undefined;
  }
}
