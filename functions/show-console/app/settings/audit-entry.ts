import type { Answer } from '../../../api.ts';
import { domainPage, emailPage, keyPage, templatePage, webhookPage } from '../shared/addresses.ts';
import { capitalized } from '../shared/format.ts';

export type AuditEntry = Answer<'GET /api/v1/audit'>['data'][number];

const verbs: Readonly<Record<string, string>> = { put: 'set' };

const things: Readonly<Record<string, string>> = {
  api_key: 'API key',
  sign_in_link: 'sign-in link',
};

/** `webhook.secret_rotated` becomes `Webhook secret rotated`. */
export function actionText(action: string): string {
  const [thing = '', verb = ''] = action.split('.');
  const words = (text: string) => text.replaceAll('_', ' ');
  return capitalized(`${things[thing] ?? words(thing)} ${words(verbs[verb] ?? verb)}`.trim());
}

const pages: readonly (readonly [prefix: string, address: (target: string) => string])[] = [
  ['api_key.', keyPage],
  ['session.', keyPage],
  ['sign_in_link.', keyPage],
  ['person.', () => '/console/settings/people'],
  ['passkey.', () => '/console/settings/people'],
  ['webhook.', webhookPage],
  ['template.', templatePage],
  ['identity.', () => '/console/domains'],
  ['domain.', domainPage],
  ['organization.', () => '/console/settings'],
  ['policy.', () => '/console/settings/policies'],
  ['category.', () => '/console/settings/policies'],
  ['suppressions.', () => '/console/suppressions'],
  ['send.', emailPage],
];

/** The changed resource's page; `undefined` if it was deleted or has none. */
export function targetAddress({ action, target }: AuditEntry): string | undefined {
  if (action.endsWith('.deleted')) return undefined;
  const [, address] = pages.find(([prefix]) => action.startsWith(prefix)) ?? [];
  return address?.(target);
}

/**
 * Names of changed things by id, where an entry says them.
 *
 * @param entries newest first: the newest name counts.
 */
export const namesIn = (entries: readonly AuditEntry[]): ReadonlyMap<string, string> =>
  new Map(
    [...entries].reverse().flatMap(({ target, before = {}, after = {} }) => {
      const name = [after['name'], after['url'], before['name'], before['url']].find(Boolean);
      return typeof name === 'string' ? [[target, name] as const] : [];
    }),
  );

/** Values as text; `undefined` if there was none. */
export type Difference = {
  readonly name: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
};

export const differencesOf = ({ before = {}, after = {} }: AuditEntry): readonly Difference[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .map((name) => ({
      name: fieldText(name),
      before: valueText(name, before[name]),
      after: valueText(name, after[name]),
    }))
    .filter((one) => one.before !== one.after);

/** Form labels. Other fields get the API's name, as words. */
const fields: Readonly<Record<string, string>> = {
  allowedFrom: 'Allowed From addresses',
  changed: 'Changed parts',
  content: 'Text body',
  dailyCap: 'Recipients per day',
  eventTypes: 'Events',
  fromEmail: 'From address',
  htmlContent: 'HTML body',
  perMinuteCap: 'Recipients per minute',
  replyTo: 'Reply-To',
  url: 'URL',
  validUntil: 'Expires',
};

const fieldText = (name: string): string =>
  fields[name] ?? capitalized(name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`));

/** What an empty list means. */
const noneOf: Readonly<Record<string, string>> = {
  eventTypes: 'all events',
  scopes: 'default scopes',
  tags: 'any tag',
  templates: 'any template',
};

const isMoment = /(?:At|^at|Until)$/;

function valueText(name: string, value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  // Some old entries have a moment that no date reaches: `toJSON` has no text for it.
  if (typeof value === 'number' && isMoment.test(name)) {
    return new Date(value).toJSON() ?? String(value);
  }
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) {
    if (value.length === 0) return name === 'changed' ? undefined : (noneOf[name] ?? 'none');
    return (name === 'changed' ? value.map(fieldText) : value).join(', ');
  }
  if (Array.isArray(value)) return value.flatMap((one) => valueText(name, one) ?? []).join('; ');
  return typeof value === 'object' ? partsText(value) : JSON.stringify(value);
}

/** `{"at": …, "reason": "by_owner"}` becomes `at 2026-…, reason by_owner`: the page writes the time. */
const partsText = (value: object): string | undefined =>
  Object.entries(value)
    .flatMap(([name, part]) => {
      const text = valueText(name, part);
      return text === undefined ? [] : [`${fieldText(name).toLowerCase()} ${text}`];
    })
    .join(', ') || undefined;

const id = /\b(?:tpl|key|whk)_[a-z2-7]{20,}\b/g;

/** The things that an entry is about, or whose IDs are among its values. */
export const idsIn = ({ actor, target, before, after }: AuditEntry): readonly string[] => [
  actor,
  target,
  ...(JSON.stringify([before, after]).match(id) ?? []),
];

/** IDs as names. */
export const named = (text: string, nameOf: (id: string) => string | undefined): string =>
  text.replaceAll(id, (one) => nameOf(one) ?? one);
