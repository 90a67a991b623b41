import * as z from 'zod/mini';
import type { Caller } from '#shared/access/admit-caller';
import type { Service } from '#shared/endpoints/endpoint';
import { identitiesIn } from '#shared/sending/erased-recipients';
import { isTestSend, type Send } from '#shared/sending/send';
import { hasTag } from '#shared/sending/send-options';
import { sealCursor, unsealCursor } from '#shared/table/cursor';
import { timeAt } from '#shared/table/list-position';
import type { Table } from '#shared/table/table-client';
import { apiKeyIdSchema, contactIdOf, type OrganizationId } from '#shared/tokens/resource-id';
import { explainSend } from './explain-send.ts';
import { findSendById, findSendByIdempotencyKey, findSendByMessage } from './named-sends-store.ts';
import { outcomeCauseSchema, readOutcomeCauses } from './outcome-cause.ts';
import type { sendFilters } from './send-filters.ts';
import {
  isSelected,
  readSends,
  type SendSelection,
  sendPositionSchema,
} from './send-list-store.ts';
import { addressIn, holdsText, type SendSearch, searchFor, tagIn } from './send-search.ts';
import { sendViewSchema, toSendView } from './send-view.ts';
import { verdictSchema } from './verdict.ts';

/** As lists have it. */
export const listedSendSchema = z.extend(sendViewSchema, {
  apiKeyId: z.optional(apiKeyIdSchema),
  cause: z.optional(outcomeCauseSchema),
  verdict: verdictSchema,
});
export type ListedSend = z.output<typeof listedSendSchema>;

type Listing = Pick<Service, 'table' | 'now'>;
type Lister = Pick<Caller, 'organizationId' | 'apiKey' | 'cursorOwner'>;
type ListedQuery = z.output<z.ZodMiniObject<typeof sendFilters>> & {
  readonly limit: number;
  readonly cursor?: string | undefined;
};

/** @param purpose a cursor leads on in the list that it came from, and in no other. */
export async function listSends(
  { caller, query }: { readonly caller: Lister; readonly query: ListedQuery },
  listing: Listing,
  purpose: 'list' | 'export' = 'list',
) {
  const { limit, cursor, ...filters } = query;
  const { to, from: since, search, outcome: outcomes, template, key, test, ...others } = filters;
  const { organizationId, cursorOwner: owner } = caller;
  // A test key sees only test emails.
  const isTest = caller.apiKey.test === true || test === 'true';
  const list = `${isTest ? 'test sends' : 'sends'}${purpose === 'export' ? '/export' : ''}`;
  const scope = { list, owner, filters };
  const filtered: SendSelection = {
    ...others,
    isTest,
    before: unsealCursor(cursor, sendPositionSchema, scope),
    since,
    limit,
    outcomes,
    to: to && contactIdOf(organizationId, to.identity),
    templateId: template,
    apiKeyId: key,
  };
  const selection = {
    ...filtered,
    ...(search !== undefined && searched(organizationId, search, to)),
  };
  // An id from a log names one email, test or not.
  const isEither = caller.apiKey.test !== true && test === undefined;
  const named =
    search === undefined || tagIn(search) !== undefined
      ? undefined
      : await findNamed({ organizationId, search: searchFor(search), isEither, isTest }, listing);
  const { found, next, looked } =
    named === undefined
      ? await readSends(listing.table, organizationId, selection, listing.now)
      : onlyNamed(named, filtered, listing.now());
  return {
    sends: found,
    nextCursor: sealCursor(next, scope),
    lookedUntil: next === undefined ? null : Math.min(timeAt(next), listing.now()),
    looked,
  };
}

/** What a text asks for that names no send: a tag, everything to an address, or words. */
function searched(
  organizationId: OrganizationId,
  text: string,
  to: ListedQuery['to'],
): Partial<SendSelection> {
  const tag = tagIn(text);
  if (tag !== undefined) return { holds: (send) => hasTag(send, tag) };
  const identity = addressIn(text)?.identity;
  if (identity === undefined) return { holds: holdsText(searchFor(text)) };
  return to === undefined
    ? { to: contactIdOf(organizationId, identity) }
    : { holds: (send) => identitiesIn(send).includes(identity) };
}

export async function withCauses(table: Table, sends: readonly Send[], now: number) {
  const causeOf = await readOutcomeCauses(table, sends, now);
  return sends.map((send) => {
    const cause = causeOf(send.id);
    return { ...toSendView(send, now), cause, verdict: explainSend(send, cause, now) };
  });
}

type Searching = {
  readonly organizationId: OrganizationId;
  readonly search: SendSearch;
  /** An id may be a test's or a real email's. */
  readonly isEither: boolean;
  readonly isTest: boolean;
};

/** @returns `undefined` if the text names no send; then it's words. */
async function findNamed(
  { organizationId, search, isEither, isTest }: Searching,
  { table, now }: Listing,
): Promise<{ readonly send: Send | undefined } | undefined> {
  const { id, providerMessageId, idempotencyKey } = search;
  const inWorld = (send: Send | undefined) =>
    send && (isEither || isTestSend(send) === isTest) ? send : undefined;
  if (id !== undefined) {
    return { send: inWorld(await findSendById(table, organizationId, id, now())) };
  }
  const [ofMessage, ofKey] = await Promise.all([
    providerMessageId === undefined
      ? undefined
      : findSendByMessage(table, organizationId, providerMessageId, now()),
    idempotencyKey === undefined
      ? undefined
      : findSendByIdempotencyKey(table, organizationId, idempotencyKey, { isTest }, now()),
  ]);
  if (ofMessage) return { send: inWorld(ofMessage) };
  return ofKey && { send: ofKey };
}

/** @param filters without what the text says: it names the send. */
function onlyNamed(
  { send }: { readonly send: Send | undefined },
  filters: SendSelection,
  now: number,
) {
  const found = send && isSelected(send, filters, now) ? [send] : [];
  return { found, next: undefined, looked: found.length };
}
