import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod/mini';
import { limitContacts } from '#shared/access/limit-day';
import { newAuditEntry } from '#shared/audit/audit-entry';
import { capability } from '#shared/aws/capability';
import { bucketEnvironment } from '#shared/config/environment';
import { workBudgetMs } from '#shared/config/work-budget';
import { bareAddress } from '#shared/contacts/address-field';
import { isKnown } from '#shared/contacts/contact';
import { eraseContact, getContact } from '#shared/contacts/contact-store';
import { anonymiseContactRows } from '#shared/contacts/row-erasure-store';
import { defineEndpoint, type Service } from '#shared/endpoints/endpoint';
import { ServiceError, secondsUntil } from '#shared/errors/service-error';
import {
  anonymiseSend,
  type ContentErasure,
  type SendErasure,
} from '#shared/send-history/send-erasure-store';
import { findSendsTo, type SendPosition } from '#shared/send-history/send-list-store';
import { contentPlaceOf, filesPlaceOf } from '#shared/sending/kept-content';
import { contentPlace, removeContentNow, waitingPlaceOf } from '#shared/sending/later/send-later';
import type { Send } from '#shared/sending/send';
import { type ContentStore, openContentStore } from '#shared/stored-content/content-store';
import { isOfOwnEvent, spellingsOf } from '#shared/suppressions/lift-from-contact';
import {
  type ProviderListRemoval,
  removesFromProviderList,
} from '#shared/suppressions/ses-suppression-list';
import { getSuppressedContact } from '#shared/suppressions/suppression-list-store';
import { inParallel } from '#shared/timing/in-parallel';
import { type ContactId, contactIdOf, organizationIdOf } from '#shared/tokens/resource-id';

export type Erasure = Service & {
  readonly contents: ContentErasure;
  readonly providerList: ProviderListRemoval;
};

const erasesContents = /* @__PURE__ */ capability(
  {
    environment: bucketEnvironment,
    contents: { waiting: ['Get', 'Put', 'Delete'], kept: ['Delete'] },
  },
  (environment) => contentErasureFrom(openContentStore(environment)),
);

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /api/v1/contacts/{email}',
    access: { key: 'required', scope: ['contacts_erase', 'manage_organization'] },
    path: z.object({ email: bareAddress }),
    query: z.strictObject({
      sends: z.optional(z.enum(['true', 'false'])),
    }),
    answers: { 204: { description: 'The person is erased.' } },
    errors: ['erasure_unfinished', 'contact_limit_reached'],
    uses: { contents: erasesContents, providerList: removesFromProviderList },
    lambda: {
      stack: 'Account',
      tableActions: [
        'GetItem',
        'BatchGetItem',
        'Query',
        'ConditionCheckItem',
        'PutItem',
        'UpdateItem',
        'DeleteItem',
      ],
      queriesIndexes: ['gsi3'],
    },
    words: {
      section: 'Recipients',
      summary: 'Erase a contact',
      description: `Removes the address from the contact, from every send that has it in \`to\`, \`cc\` or \`bcc\`, and from their events and webhook deliveries. The kept contents of these sends are deleted; their other recipients stay. Their subject and options, such as metadata and custom headers, stay, with the address replaced by \`erased\`: only \`?sends=true\` removes whatever else they say about the person. Scheduled and queued emails are canceled if the address is their first \`to\` (\`email.canceled\` omits it); otherwise they go out to the others. Suppressions stay, under a digest of the address: a person who unsubscribed stays unsubscribed. An unknown address can be erased too, and counts like an imported one. If one of your emails put the address on SES’s own suppression list, it’s taken off.

Always safe to repeat. After a 409, wait for \`Retry-After\`, then repeat.`,
      fields: {
        email: 'The address. URL-encode it in the path.',
        sends:
          '`true`: also deletes the sends whose first `to` is the address, with their timelines and idempotency keys. All others are only anonymised.',
      },
      example: { path: { email: 'ann@example.com' }, query: { sends: 'false' } },
    },
  },
  // Erases the contact's address and preferences. Suppressions stay, under the digest of the address; sends lose the
  // address and their kept contents.
  //
  // Order of effects: the sends, newest first; SES's own list; the contact; the contact's webhook deliveries and what
  // caused its suppressions, which have the spelling that SES knows. Each effect is idempotent, so repeating a request
  // that ended half-way completes it. The contact comes late because it is the marker: while it is known, the erasure
  // is unfinished. A send made in between makes the address known again, and the next request erases it.
  //
  // The index of recipients, which finds the sends, is eventually consistent and may miss the last few seconds. A
  // waiting send leaves the person out anyway: `admitAgain` sees the mark on the contact.
  //
  // An unknown address leaves the mark and the audit entry, so it counts like an imported one. Erasing a known person
  // is never refused.
  //
  // @throws ServiceError `erasure_unfinished` if one request can't do it all, or if an email to the address is being
  //   sent; `contact_limit_reached` for an unknown address
  async ({ caller, path, query: { sends } }, erasure: Erasure) => {
    const { table } = erasure;
    const { organizationId, actor } = caller;
    const { identity, address } = path.email;
    const contactId = contactIdOf(organizationId, identity);
    const ofSend = { identity, expires: sends === 'true' };
    const { isRecipient, busyUntil } = await eraseSends(contactId, ofSend, erasure);
    if (!isRecipient && !isKnown(await getContact(table, contactId))) {
      await limitContacts(caller, 1, erasure.now(), erasure);
    }
    await leaveProviderList(contactId, address, erasure);
    const now = erasure.now();
    const after = { sends: sends === 'true' ? 'forgotten' : 'anonymised' };
    const change = { action: 'contact.erased', target: contactId, after };
    await eraseContact(table, contactId, now, newAuditEntry(organizationId, actor, change, now));
    await anonymiseContactRows(table, contactId, identity);
    if (busyUntil !== undefined) throw beingSent(busyUntil, erasure.now());
  },
);

/**
 * Takes the address off SES's own lists if an email of this organization put it there. Our suppression stays.
 *
 * @throws ServiceError `erasure_unfinished` when SES throttles the call: the contact stays known until it's done.
 */
async function leaveProviderList(
  contactId: ContactId,
  address: string,
  { table, providerList }: Erasure,
): Promise<void> {
  const { suppressions: all } = await getSuppressedContact(table, contactId);
  if (!all.some(isOfOwnEvent)) return;
  try {
    await providerList.forget(organizationIdOf(contactId), spellingsOf(all, address));
  } catch (error) {
    const isThrottled = error instanceof ServiceError && error.code === 'provider_throttled';
    throw isThrottled ? stillListed(error) : error;
  }
}

const stillListed = (cause: unknown): ServiceError =>
  new ServiceError(
    'erasure_unfinished',
    'The address is on Amazon SES’s own suppression list, and SES limits how often one can be removed. What was erased stays erased: wait for Retry-After, then repeat the request.',
    { cause, retryAfterSeconds: 2 },
  );

/** Content that can't be erased now leaves the erasure unfinished. */
export function contentErasureFrom({
  get,
  put,
  remove,
}: Pick<ContentStore, 'get' | 'put' | 'remove'>): ContentErasure {
  async function removeAll(send: Send): Promise<void> {
    const kept = contentPlaceOf(send);
    const files = (send.attachmentCount ?? 0) > 0 ? kept && filesPlaceOf(kept) : undefined;
    const places = [kept, files, waitingPlaceOf(send)];
    for (const place of places) if (place !== undefined) await remove(place);
  }

  async function changeWaiting(
    { id, contentId, waitingKey }: Send,
    change: (body: unknown) => unknown,
  ): Promise<boolean> {
    if (contentId === undefined || waitingKey === undefined) return false;
    const place = contentPlace(organizationIdOf(id), contentId);
    const body = await get(place, waitingKey);
    if (body === undefined) return false;
    const changed = change(body);
    if (isDeepStrictEqual(changed, body)) return false;
    await put(place, changed, waitingKey);
    return true;
  }

  return {
    remove: (send) => orStillKept(removeAll(send)),
    changeWaiting: (send, change) => orStillKept(changeWaiting(send, change)),
    removeWaiting: (send) => orStillKept(removeContentNow(send, { remove })),
  };
}

const orStillKept = <Done>(erasing: Promise<Done>): Promise<Done> =>
  erasing.catch((cause: unknown) => {
    throw stillKept(cause);
  });

const stillKept = (cause: unknown): ServiceError =>
  new ServiceError(
    'erasure_unfinished',
    'The content of an email couldn’t be erased yet. Wait for Retry-After, then repeat the request.',
    { cause, retryAfterSeconds: 5 },
  );

const pageSize = 100;

const concurrency = 16;

/**
 * @returns whether there are sends to the contact; and when the last attempt still under way must have ended, if any
 *   is.
 * @throws ServiceError `erasure_unfinished` when its time is up.
 */
async function eraseSends(
  contactId: ContactId,
  erasureOfSend: SendErasure,
  { table, contents, now }: Erasure,
): Promise<{ readonly isRecipient: boolean; readonly busyUntil: number | undefined }> {
  const deadline = now() + workBudgetMs;
  let isRecipient = false;
  let busyUntil: number | undefined;
  // Test emails name people too, and are listed separately.
  for (const isTest of [false, true]) {
    let before: SendPosition | undefined;
    for (;;) {
      const page = await findSendsTo(table, contactId, { before, limit: pageSize }, { isTest });
      isRecipient ||= page.length > 0;
      await inParallel(page, concurrency, async ({ slotId }) => {
        if (now() >= deadline) throw timeIsUp();
        const outcome = await anonymiseSend(table, contents, slotId, erasureOfSend, now());
        if (outcome.kind === 'under_way') busyUntil = Math.max(outcome.until, busyUntil ?? 0);
      });
      if (page.length < pageSize) break;
      before = page.at(-1)?.position;
    }
  }
  return { isRecipient, busyUntil };
}

const timeIsUp = (): ServiceError =>
  new ServiceError(
    'erasure_unfinished',
    'There’s more to erase than one request can do. Repeat the request to continue: what was erased stays erased.',
    { retryAfterSeconds: 1 },
  );

const beingSent = (until: number, now: number): ServiceError =>
  new ServiceError(
    'erasure_unfinished',
    'An email to this address is being sent, or its outcome is not known yet. Everything else is erased: wait for Retry-After, then repeat the request.',
    { retryAfterSeconds: secondsUntil(until, now) },
  );
