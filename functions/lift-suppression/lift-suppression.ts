import { parseEmailAddress } from '#shared/contacts/email-address';
import type { RequestTo } from '#shared/endpoints/endpoint';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import { type Lifting, liftFromContact } from '#shared/suppressions/lift-from-contact';
import type { SuppressionListStore } from '#shared/suppressions/suppression-list-store';
import { contactIdOf } from '#shared/tokens/resource-id';
import type { endpoint } from './endpoint.ts';

/** Lifts one reason, or all but the person's own unsubscription. */
export async function liftSuppression(
  { caller, path: { email }, query: { reason: wanted } }: RequestTo<typeof endpoint>,
  lifting: Lifting & { readonly suppressionList: SuppressionListStore },
) {
  const parsed = parseEmailAddress(email);
  if (!parsed.ok) throw invalidField('email', parsed.reason);

  const { address, identity } = parsed.value;
  const contactId = contactIdOf(caller.organizationId, identity);
  const { suppressions: all } = await lifting.suppressionList.ofContact(contactId);
  const isWanted = (reason: string) =>
    wanted === undefined ? reason !== 'unsubscribe' : reason === wanted;
  const present = all.map(({ reason }) => reason);
  const reasons = present.filter(isWanted);
  if (reasons.length === 0) throw new ServiceError('suppression_not_found');
  const lift = { contactId, all, reasons, address };
  const providerList = await liftFromContact(lift, caller, lifting);
  return {
    lifted: reasons,
    remaining: present.filter((reason) => !isWanted(reason)),
    providerList,
  };
}
