import { type Authentication, authenticateManager } from '#shared/access/authenticate';
import { newAuditEntry } from '#shared/audit/audit-entry';
import type { ContactDeliveriesStore } from '#shared/contacts/contact-deliveries-store';
import type { ContactStore } from '#shared/contacts/contact-store';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { invalidField, ServiceError, secondsUntil } from '#shared/errors/service-error';
import type { RecipientSendsStore, SendErasure } from '#shared/sends/recipient-sends-store';
import type { SendPosition } from '#shared/sends/send-list';
import { isOfOwnEvent, spellingsOf } from '#shared/suppressions/lift-suppressions';
import type { ProviderSuppressionList } from '#shared/suppressions/ses-suppression-list';
import type { SuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { inParallel } from '#shared/timing/in-parallel';
import { type ContactId, contactIdOf, organizationIdOf } from '#shared/tokens/resource-id';
import type { EraseContactQuery } from './endpoint.ts';

export type Erasure = Authentication & {
  readonly sends: RecipientSendsStore;
  readonly contacts: Pick<ContactStore, 'erase'>;
  readonly contactDeliveries: ContactDeliveriesStore;
  readonly suppressions: Pick<SuppressionListStore, 'ofContact'>;
  readonly providerList: Pick<ProviderSuppressionList, 'remove'>;
};

export type EraseContactCommand = {
  readonly credential: string | undefined;
  readonly email: string;
  /** Reads the query. It is called once the caller is known. */
  readonly parse: () => EraseContactQuery;
};

/**
 * Erases a person from the key's organization. The address and the preferences of the contact go. Its
 * suppressions stay under the digest of the address. The address is replaced in the sends to the person.
 *
 * Order of effects: the sends, newest first, then SES's own list, then the contact, then the contact's webhook
 * deliveries and what caused its suppressions: SES knows the address by the spelling that stands there. Each
 * effect is idempotent, and the address leads to all of them, so repeating a request that ended half-way
 * completes it. The contact comes late because it is the sign: the erasure is not over while the contact
 * is known. A send that is made meanwhile makes the address known again. The next request erases it.
 *
 * An eventually consistent index of `to` addresses finds the sends. It may miss a send of the last moments.
 * It does not find a send with the person in cc or bcc only, or one of which only an earlier attempt went
 * to the person.
 *
 * @throws ServiceError `invalid_api_key`, `missing_scope`, `validation_failed`; `erasure_unfinished` if
 *   one request cannot do it all, or if an email to the address is being sent
 */
export async function eraseContact(
  { credential, email, parse }: EraseContactCommand,
  erasure: Erasure,
): Promise<void> {
  const { organizationId, actor } = await authenticateManager(credential, erasure);
  const { sends } = parse();
  const address = parseEmailAddress(email);
  if (!address.ok) throw invalidField('email', address.reason);

  const { identity } = address.value;
  const contactId = contactIdOf(organizationId, identity);
  const busyUntil = await eraseSends(contactId, { identity, expires: sends === 'true' }, erasure);
  await leaveProviderList(contactId, address.value.address, erasure);
  const now = erasure.now();
  const after = { sends: sends === 'true' ? 'forgotten' : 'anonymised' };
  const change = { action: 'contact.erased', target: contactId, after };
  await erasure.contacts.erase(contactId, now, newAuditEntry(organizationId, actor, change, now));
  await erasure.contactDeliveries.anonymise(contactId, identity);
  if (busyUntil !== undefined) throw beingSent(busyUntil, erasure.now());
}

/**
 * Takes the address off SES's own list where an email of this organization put it there. The suppression stays here.
 *
 * @throws ServiceError `erasure_unfinished` when SES limits such calls: the contact is known until it is done.
 */
async function leaveProviderList(
  contactId: ContactId,
  address: string,
  { suppressions, providerList }: Erasure,
): Promise<void> {
  const { suppressions: all } = await suppressions.ofContact(contactId);
  if (!all.some(isOfOwnEvent)) return;
  try {
    await providerList.remove(spellingsOf(all, address), organizationIdOf(contactId));
  } catch (error) {
    const isThrottled = error instanceof ServiceError && error.code === 'provider_throttled';
    throw isThrottled ? stillListed(error) : error;
  }
}

const stillListed = (cause: unknown): ServiceError =>
  new ServiceError(
    'erasure_unfinished',
    'Amazon SES has the address on its own list, and limits calls about that. What was erased stays erased: wait for Retry-After, then repeat the request.',
    { cause, retryAfterSeconds: 2 },
  );

const pageSize = 100;
const concurrency = 16;

/** How long a request goes on to further sends. HTTP API ends a request after 30 seconds. */
export const budgetMs = 20_000;

/**
 * @returns until when an attempt at one of the sends may be under way, epoch milliseconds; `undefined` if
 *   none is.
 * @throws ServiceError `erasure_unfinished` when its time is over.
 */
async function eraseSends(
  contactId: ContactId,
  erasureOfSend: SendErasure,
  { sends, now }: Erasure,
): Promise<number | undefined> {
  const deadline = now() + budgetMs;
  let busyUntil: number | undefined;
  let before: SendPosition | undefined;
  for (;;) {
    const page = await sends.find(contactId, { before, limit: pageSize });
    await inParallel(page, concurrency, async ({ slotId }) => {
      if (now() >= deadline) throw timeIsOver();
      const outcome = await sends.anonymise(slotId, erasureOfSend, now());
      if (outcome.kind === 'under_way') busyUntil = Math.max(outcome.until, busyUntil ?? 0);
    });
    if (page.length < pageSize) return busyUntil;
    before = page.at(-1)?.position;
  }
}

const timeIsOver = (): ServiceError =>
  new ServiceError(
    'erasure_unfinished',
    'There is more to erase than one request can. What was done stays done: repeat the request to go on.',
    { retryAfterSeconds: 1 },
  );

const beingSent = (until: number, now: number): ServiceError =>
  new ServiceError(
    'erasure_unfinished',
    'An email to this address is being sent, or its outcome is being found out. Everything else is erased: wait for Retry-After, then repeat the request.',
    { retryAfterSeconds: secondsUntil(until, now) },
  );
