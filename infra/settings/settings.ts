import * as z from 'zod';
import { editDistance } from '#shared/errors/edit-distance';
import { unreservable } from '../constructs/concurrency.ts';
import { functionCatalogue } from '../constructs/function-catalogue.ts';
import {
  longestSendSeconds,
  maxRoleRuleBytes,
  type Settings,
  type SettingsProps,
  serviceSettings,
  settingWords,
} from './declaration.ts';

/** One line per invalid setting: what's wrong and what to write. */
export class SettingsError extends Error {
  constructor(lines: readonly string[]) {
    super(lines.map((line) => `✖ ${line}`).join('\n'));
    this.name = 'SettingsError';
  }
}

/** For programs: the operator only needs to know what to write, so no stack trace. */
export function sayingWhatToWrite(synthesise: () => void): void {
  try {
    synthesise();
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
  }
}

/**
 * @throws SettingsError naming each setting that is unknown, malformed or contradicts another: AWS would reject some of
 *   them halfway through a deployment, and deploy others that do harm.
 */
export const settings = (props: SettingsProps = {}): Settings => checkSettings(props);

export function checkSettings(values: unknown): Settings {
  const parsed = parseSettings(serviceSettings, values);
  const lines = contradictions.flatMap((find) => find(parsed) ?? []);
  if (lines.length > 0) throw new SettingsError(lines);
  return parsed;
}

export function parseSettings<Declared extends z.ZodObject>(
  declared: Declared,
  values: unknown,
): z.output<Declared> {
  const parsed = declared.safeParse(values, { error: expectedOf });
  if (parsed.success) return parsed.data;
  throw new SettingsError(parsed.error.issues.flatMap((issue) => linesOf(issue, declared, values)));
}

function linesOf(
  issue: z.core.$ZodIssue,
  { shape }: z.ZodObject,
  values: unknown,
): readonly string[] {
  const [name = ''] = issue.path.map(String);
  const declaration = shape[name];
  const { example } = (declaration && settingWords.get(declaration)) ?? {};
  const forExample =
    example === undefined ? '' : `: write ${JSON.stringify(example)}, for example.`;
  const named = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) =>
      named === ''
        ? unknownSetting(key, Object.keys(shape))
        : `${named} has no ${JSON.stringify(key)}${forExample}`,
    );
  }
  const value = JSON.stringify(valueAt(values, issue.path));
  const is = value === undefined ? 'is missing; it' : `is ${value}, but`;
  return [`${named} ${is} takes ${issue.message}${forExample}`];
}

/** "takes …". A schema's own message comes first. */
function expectedOf(issue: z.core.$ZodRawIssue): string | undefined {
  switch (issue.code) {
    case 'too_small':
      return `${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'too_big':
      return `${issue.inclusive ? 'at most' : 'less than'} ${issue.maximum}`;
    case 'invalid_value':
      return `one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_type':
      return typeWords[issue.expected] ?? issue.expected;
    default:
      return undefined;
  }
}

const typeWords: Readonly<Record<string, string>> = {
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  string: 'text',
  array: 'a list, as JSON',
  object: 'an object, as JSON',
};

/** Without this, a misspelled setting would deploy the default. */
export function unknownSetting(name: string, known: readonly string[]): string {
  const [nearest = ''] = known.toSorted(
    (one, other) => distance(name, one) - distance(name, other),
  );
  const isNear = distance(name, nearest) <= name.length / 3;
  return `"${name}" isn't a setting${isNear ? `: did you mean "${nearest}"?` : '. See infra/README.md for the list.'}`;
}

const distance = (one: string, other: string): number =>
  editDistance(one.toLowerCase(), other.toLowerCase());

const inner = z.looseObject({});

function valueAt(values: unknown, path: readonly PropertyKey[]): unknown {
  const [first, ...rest] = path;
  if (first === undefined) return values;
  if (Array.isArray(values)) return valueAt(values[Number(first)], rest);
  const { data } = inner.safeParse(values);
  return valueAt(data?.[String(first)], rest);
}

const contradictions: readonly ((settings: Settings) => string | undefined)[] = [
  // Otherwise a retry could send again while the first attempt is still talking to SES.
  ({ doubtWindowSeconds }) =>
    doubtWindowSeconds > longestSendSeconds
      ? undefined
      : `doubtWindowSeconds (${doubtWindowSeconds}) must exceed the ${longestSendSeconds} s that a send and its SES call may take: write 300.`,
  // The secret is shared with the other service, so the operator stores it.
  ({ entitlementsUrl, entitlementsSecretArn }) => {
    if ((entitlementsUrl === undefined) === (entitlementsSecretArn === undefined)) return undefined;
    return entitlementsUrl === undefined
      ? 'entitlementsSecretArn needs an entitlementsUrl: write both, or neither.'
      : 'entitlementsUrl needs an entitlementsSecretArn: write both, or neither.';
  },
  ({ oidc }) => {
    const bytes = Buffer.byteLength(JSON.stringify(oidc?.roles ?? []));
    return bytes <= maxRoleRuleBytes
      ? undefined
      : `oidc.roles has ${bytes} bytes, and ${maxRoleRuleBytes} fit into a function's environment: use shorter values, or fewer rules with a * in their value.`;
  },
  ({ sendPatienceSeconds, sendRetentionDays }) =>
    sendPatienceSeconds < sendRetentionDays * 86_400
      ? undefined
      : `sendPatienceSeconds (${sendPatienceSeconds}) must be less than sendRetentionDays (${sendRetentionDays} days), when the send is deleted: write 3600.`,
  ({ operators, noticeFromEmail }) =>
    operators.length > 0 && noticeFromEmail === undefined
      ? 'operators needs a noticeFromEmail: the links that they sign in with come from it.'
      : undefined,
  ({ domain, linkDomains }) => {
    const names = [...(domain ? [domain] : []), ...linkDomains].map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice === undefined) return undefined;
    return twice === domain?.name
      ? `${twice} is both domain and in linkDomains: a link domain only serves one organization's links, so use a different one.`
      : `${twice} is in linkDomains twice: list it once.`;
  },
  // On a link domain, only one organization's links work.
  ({ publicBaseUrl, linkDomains }) => {
    if (publicBaseUrl === undefined) return undefined;
    const { hostname } = new URL(publicBaseUrl);
    return linkDomains.some(({ name }) => name === hostname)
      ? `publicBaseUrl leads to ${hostname}, which is in linkDomains: a link domain only serves one organization's links, so use a different address.`
      : undefined;
  },
  (all) => unreservable(functionCatalogue, all),
];
