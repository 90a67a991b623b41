/** What a form may hold of a setting. */
type Setting = string | number | undefined;

/** Browsers differ in how they end the lines of a text. */
const comparable = (value: Setting): Setting =>
  typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim() : value;

/**
 * What to send of a setting, so that nothing is written that nobody changed.
 *
 * @param before as it was when the form was filled.
 * @param typed `undefined`: the field is empty.
 * @returns `undefined`: it is as before; `null`: it is taken away.
 */
export function changeOf<Value extends string | number>(
  before: Value | undefined,
  typed: Value | undefined,
): Value | null | undefined {
  if (comparable(before) === comparable(typed)) return undefined;
  return typed ?? null;
}

/** The same of a setting that cannot be taken away: an empty field is for the service to refuse. */
export const requiredChangeOf = (before: string, typed = ''): string | undefined =>
  changeOf(before, typed) ?? undefined;

type Settings = Readonly<Record<string, unknown>>;

/** The names of the settings that are really sent: what is `undefined` is not. */
export const changedNames = (changes: Settings): readonly string[] =>
  Object.keys(changes).filter((name) => changes[name] !== undefined);

/**
 * Which of one's changes would undo somebody else's.
 *
 * @param seen as it was when the form was filled.
 * @param now as it is stored.
 */
export const changedMeanwhile = (
  changes: Settings,
  seen: Settings,
  now: Settings,
): readonly string[] =>
  changedNames(changes).filter(
    (name) => seen[name] !== now[name] && (changes[name] ?? undefined) !== now[name],
  );
