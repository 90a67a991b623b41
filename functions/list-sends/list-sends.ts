import type { RequestTo } from '#shared/endpoints/endpoint';
import { isTestSend, type Send } from '#shared/sending/send';
import { hasTag } from '#shared/sending/send-options';
import type { NamedSendsStore } from '#shared/sends/named-sends-store';
import {
  isSelected,
  newestPosition,
  readSends,
  type SendListStore,
  sendPositionSchema,
} from '#shared/sends/send-list-store';
import { holdsText, type SendSearch, searchFor, tagIn } from '#shared/sends/send-search';
import { openCursor, sealCursor } from '#shared/table/cursor';
import { timeAt } from '#shared/table/list-position';
import { contactIdOf, type OrganizationId } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

type Reading = {
  readonly sends: SendListStore;
  readonly names: NamedSendsStore;
  readonly now: () => number;
};
type Selection = Parameters<typeof readSends>[1];

export async function listSends(
  { caller, query }: Pick<RequestTo<typeof endpoint>, 'caller' | 'query'>,
  reading: Reading,
) {
  const { limit, cursor, ...filters } = query;
  const { to, from: since, search, outcome: outcomes, template, key, test, ...others } = filters;
  const { organizationId, cursorOwner: owner } = caller;
  // A test key sees only test emails.
  const isTest = caller.apiKey.test === true || test === 'true';
  const scope = { list: isTest ? 'test sends' : 'sends', owner, filters };
  const searchedTag = search === undefined ? undefined : tagIn(search);
  const selection: Selection = {
    ...others,
    ...(searchedTag && { holds: (send: Send) => hasTag(send, searchedTag) }),
    isTest,
    before: openCursor(cursor, sendPositionSchema, scope),
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
      ? await readSends(organizationId, selection, reading)
      : await searchSends(
          { organizationId, search: searchFor(search), isEither },
          selection,
          reading,
        );
  return {
    sends: found,
    nextCursor: sealCursor(next, scope),
    lookedUntil: next === undefined ? null : Math.min(timeAt(next), reading.now()),
  };
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
  reading: Reading,
): ReturnType<typeof readSends> {
  const { organizationId, search } = searching;
  const { send, isAll } = await findNamed(searching, selection, reading);
  const named = send && isSelected(send, selection, reading.now()) ? send : undefined;
  if (isAll) return { found: named ? [named] : [], next: undefined };

  const shown = named && selection.before === undefined ? [named] : [];
  const limit = selection.limit - shown.length;
  if (limit === 0) return { found: shown, next: newestPosition };
  const hasText = holdsText(search);
  const holds = (one: Send) => one.id !== named?.id && hasText(one);
  const { found, next } = await readSends(organizationId, { ...selection, limit, holds }, reading);
  return { found: [...shown, ...found], next };
}

/** @returns `isAll` if the text can't mean anything else. */
async function findNamed(
  { organizationId, search, isEither }: Searching,
  { isTest = false }: Selection,
  { names, now }: Reading,
): Promise<{ readonly send: Send | undefined; readonly isAll: boolean }> {
  const { id, providerMessageId, idempotencyKey } = search;
  const inWorld = (send: Send | undefined) =>
    send && (isEither || isTestSend(send) === isTest) ? send : undefined;
  if (id !== undefined) {
    return { send: inWorld(await names.byId(organizationId, id, now())), isAll: true };
  }
  const [ofMessage, ofKey] = await Promise.all([
    providerMessageId === undefined
      ? undefined
      : names.byMessage(organizationId, providerMessageId, now()),
    idempotencyKey === undefined
      ? undefined
      : names.byIdempotencyKey(organizationId, idempotencyKey, { isTest }, now()),
  ]);
  return ofMessage ? { send: inWorld(ofMessage), isAll: true } : { send: ofKey, isAll: false };
}
