import * as z from 'zod/mini';
import { boundedList } from '#shared/errors/bounded';
import type { Table } from '#shared/table/table-client';
import { momentSchema } from '#shared/timing/moment';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import {
  type ApiKey,
  apiKeySchema,
  apiKeyStatuses,
  apiKeyStatusOf,
  type NewApiKey,
} from './api-key.ts';
import { readActorNames } from './people-store.ts';
import { scopeWords } from './scope-words.ts';
import { narrowScopes, type Scope, scopes, wideScopes } from './scopes.ts';

const maxNameLength = 100;
const highestCap = 1_000_000_000;

const cap = z.int().check(z.gte(1), z.lte(highestCap));

const maxAllowedFrom = 20;

/** An address, or `*@domain`. */
const fromPattern = z.string().check(
  z.trim(),
  z.toLowerCase(),
  z.maxLength(254),
  z.regex(/^[a-z0-9!#$%&'*+/=?^_`{|}~.-]+@[a-z0-9-]+(\.[a-z0-9-]+)+$/, {
    error: 'must be an address such as billing@example.com, or *@example.com for a whole domain',
  }),
);

export const apiKeyFields = {
  name: z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(maxNameLength),
    z.regex(/^[^\p{Cc}\p{Cs}]*$/u, {
      error: 'must not contain control characters or line breaks',
    }),
  ),
  /** Empty for the default send permissions. */
  scopes: z.pipe(
    boundedList(z.enum(scopes), 100),
    z.transform((listed) => [...new Set(listed)]),
  ),
  allowedFrom: boundedList(fromPattern, maxAllowedFrom, 1),
  perMinuteCap: cap,
  dailyCap: cap,
  validUntil: momentSchema,
} as const;

/** Also what a key's own program gets, which needn't know who made it. */
export const apiKeyViewSchema = z.object({
  ...z.omit(apiKeySchema, {
    secretHash: true,
    signIns: true,
    sessionsUsedAt: true,
    createdBy: true,
  }).shape,
  person: z.optional(z.object({ email: z.string(), role: z.string() })),
  status: z.enum(apiKeyStatuses),
});

export const listedApiKeySchema = z.extend(apiKeyViewSchema, {
  createdBy: z.optional(z.object({ actor: z.string(), person: z.optional(z.string()) })),
});

/** Only creating or rotating a key answers with its text. */
export const apiKeyWithTextSchema = z.extend(apiKeyViewSchema, { key: z.string() });

/** Leaves hash, sign-ins and their uses in: the answer's schema drops them. */
export const toApiKeyView = ({ createdBy: _, ...apiKey }: ApiKey, now: number) => ({
  ...apiKey,
  status: apiKeyStatusOf(apiKey, now),
});

export async function toListedApiKeys(table: Table, apiKeys: readonly ApiKey[], now: number) {
  const personOf = await readActorNames(
    table,
    apiKeys.flatMap(({ createdBy }) => createdBy ?? []),
  );
  return apiKeys.map((apiKey) => {
    const { createdBy } = apiKey;
    const view = toApiKeyView(apiKey, now);
    if (createdBy === undefined) return view;
    return { ...view, createdBy: { actor: createdBy.actor, ...personOf(createdBy) } };
  });
}

/** What the operator gets of a key made for an organization. */
export const newApiKeyViewSchema = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  key: z.string(),
  createdAt: z.int(),
});

export const toNewApiKeyView = ({ text, apiKey }: NewApiKey) => ({ ...apiKey, key: text });

export const toApiKeyWithText = ({ text, apiKey }: NewApiKey, now: number) => ({
  ...toApiKeyView(apiKey, now),
  key: text,
});

const listed = (all: readonly Scope[]): string =>
  all.map((scope) => `- \`${scope}\`: ${scopeWords[scope]}.`).join('\n');

/** For the reference: what each scope is for. */
export const scopesInWords = `Scopes:

${listed(wideScopes)}

Scopes that are part of these, for keys that need no more:

${listed(narrowScopes)}`;

export const apiKeyFieldWords = {
  id: 'The ID of the API key.',
  person: 'Who uses it, in sessions of the console. Absent on keys of programs.',
  role: 'The role of the person.',
  scopes: 'What the key may do. Empty means the default: sending and managing templates.',
  test: 'Whether it’s a test key. Absent: it isn’t.',
  allowedFrom:
    'The From addresses it may send from, such as `billing@example.com`, or `*@example.com` for all of a domain. Without it: every address of the organization’s active domains.',
  status: '`active`, `revoked` or `expired`.',
  leaked:
    'Whether it was revoked as leaked, so its waiting emails don’t go out. Absent: it wasn’t.',
  validUntil:
    'When it expires, in epoch milliseconds. A request may also give ISO 8601 with a time zone.',
  key: 'The text of the key, shown only in this answer.',
  createdBy:
    'Who created it, or the key that it replaced: they got its text. Absent on keys from before this was recorded.',
  actor: 'The API key that created it, the ID of a person, or `operator`.',
  'createdBy.person': 'The address of the person who created it, also after they were removed.',
} as const;

export const exampleApiKey = {
  id: exampleIds.apiKey,
  name: 'billing',
  scopes: ['send_email'],
  perMinuteCap: 60,
  dailyCap: 5_000,
  createdAt: exampleTime,
  updatedAt: exampleTime,
  status: 'active',
} as const;

export const exampleListedKey = {
  ...exampleApiKey,
  createdBy: { actor: exampleIds.apiKey, person: 'ann@example.com' },
} as const;

export const exampleFirstKey = {
  id: exampleIds.apiKey,
  name: 'manager',
  scopes: [...wideScopes],
  key: exampleIds.apiKeyText,
  createdAt: exampleTime,
} as const;
