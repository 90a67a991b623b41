type Setting = string | number | undefined;

/** Browsers end lines differently. */
const comparable = (value: Setting): Setting =>
  typeof value === 'string' ? value.replaceAll('\r\n', '\n').trim() : value;

/**
 * The change to send for a setting, so that unchanged ones aren't written.
 *
 * @param before its value when the form was filled.
 * @param typed `undefined` if the field is empty.
 * @returns `undefined` if unchanged, `null` to remove it.
 */
export function changeOf<Value extends string | number>(
  before: Value | undefined,
  typed: Value | undefined,
): Value | null | undefined {
  if (comparable(before) === comparable(typed)) return undefined;
  return typed ?? null;
}

/** For a setting that can't be removed: the service refuses an empty one. */
export const requiredChangeOf = (before: string, typed = ''): string | undefined =>
  changeOf(before, typed) ?? undefined;

/**
 * What a form can show of a list. After a rollback it may have values of a newer version: they stay until it's changed.
 */
export const knownAmong = <Value extends string>(
  values: readonly string[],
  choices: readonly Value[],
): Value[] => choices.filter((choice) => values.includes(choice));

/** For a list whose order doesn't matter. */
export const listChangeOf = <Value>(
  before: readonly Value[],
  typed: Value[],
): Value[] | undefined =>
  before.length === typed.length && typed.every((value) => before.includes(value))
    ? undefined
    : typed;

/** For a choice between `on` and `off`. */
export function switchChangeOf(before: boolean, typed: string | undefined): boolean | undefined {
  const isOn = typed !== 'off';
  return isOn === before ? undefined : isOn;
}

type Settings = Readonly<Record<string, unknown>>;

/** As JSON: settings may be objects. */
export const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** The settings that are sent: not the `undefined` ones. */
export const changedNames = (changes: Settings): readonly string[] =>
  Object.keys(changes).filter((name) => changes[name] !== undefined);

/**
 * The changes that would undo someone else's.
 *
 * @param seen the settings when the form was filled.
 * @param now the settings as stored.
 */
export const undoneBy = (changes: Settings, seen: Settings, now: Settings): readonly string[] =>
  changedNames(changes).filter(
    (name) => !isSame(seen[name], now[name]) && !isSame(changes[name] ?? undefined, now[name]),
  );

/** What someone has seen once it was announced that others changed some of it. */
export const seenAfter = (
  seen: Settings,
  now: Settings,
  announced: readonly string[],
): Settings => ({
  ...seen,
  ...Object.fromEntries(announced.map((name) => [name, now[name]])),
});
