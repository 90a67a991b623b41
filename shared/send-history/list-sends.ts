import * as z from 'zod/mini';
import type { Caller } from '#shared/access/admit-caller';
import type { Service } from '#shared/endpoints/endpoint';
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
import { isSelected, newestPosition, readSends, sendPositionSchema } from './send-list-store.ts';
import { holdsText, type SendSearch, searchFor, tagIn } from './send-search.ts';
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
type Selection = Parameters<typeof readSends>[2];

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
  const searchedTag = search === undefined ? undefined : tagIn(search);
  const selection: Selection = {
    ...others,
    ...(searchedTag && { holds: (send: Send) => hasTag(send, searchedTag) }),
    isTest,
    before: unsealCursor(cursor, sendPositionSchema, scope),
    since,
    limit,
    outcomes,
    to: to && contactIdOf(organizationId, to.identity),
    templateId: template,
    apiKeyId: key,
  };
  // An id from a log names one email, test or not.
  const isEither = caller.apiKey.test !== true && test === undefined;
  const { found, next } =
    search === undefined || searchedTag !== undefined
      ? await readSends(listing.table, organizationId, selection, listing.now)
      : await searchSends(
          { organizationId, search: searchFor(search), isEither },
          selection,
          listing,
        );
  return {
    sends: found,
    nextCursor: sealCursor(next, scope),
    lookedUntil: next === undefined ? null : Math.min(timeAt(next), listing.now()),
  };
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
};

/** The email that the text names comes first, then those that contain the text. */
async function searchSends(
  searching: Searching,
  selection: Selection,
  { table, now }: Listing,
): ReturnType<typeof readSends> {
  const { organizationId, search } = searching;
  const { send, isAll } = await findNamed(searching, selection, { table, now });
  const named = send && isSelected(send, selection, now()) ? send : undefined;
  if (isAll) return { found: named ? [named] : [], next: undefined };

  const shown = named && selection.before === undefined ? [named] : [];
  const limit = selection.limit - shown.length;
  if (limit === 0) return { found: shown, next: newestPosition };
  const hasText = holdsText(search);
  const holds = (one: Send) => one.id !== named?.id && hasText(one);
  const { found, next } = await readSends(
    table,
    organizationId,
    { ...selection, limit, holds },
    now,
  );
  return { found: [...shown, ...found], next };
}

/** @returns `isAll` if the text can't mean anything else. */
async function findNamed(
  { organizationId, search, isEither }: Searching,
  { isTest = false }: Selection,
  { table, now }: Listing,
): Promise<{ readonly send: Send | undefined; readonly isAll: boolean }> {
  const { id, providerMessageId, idempotencyKey } = search;
  const inWorld = (send: Send | undefined) =>
    send && (isEither || isTestSend(send) === isTest) ? send : undefined;
  if (id !== undefined) {
    return { send: inWorld(await findSendById(table, organizationId, id, now())), isAll: true };
  }
  const [ofMessage, ofKey] = await Promise.all([
    providerMessageId === undefined
      ? undefined
      : findSendByMessage(table, organizationId, providerMessageId, now()),
    idempotencyKey === undefined
      ? undefined
      : findSendByIdempotencyKey(table, organizationId, idempotencyKey, { isTest }, now()),
  ]);
  return ofMessage ? { send: inWorld(ofMessage), isAll: true } : { send: ofKey, isAll: false };
}
