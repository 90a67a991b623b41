import { limitOrganization } from '#shared/access/limit-sending';
import { isErasedSince } from '#shared/contacts/contact';
import type { EmailAddress } from '#shared/contacts/email-address';
import { ServiceError } from '#shared/errors/service-error';
import { requireSameDigest } from '#shared/organizations/organization';
import { countRecipients } from '#shared/sending/apply-policy';
import {
  type AdmittedEmail,
  addressingOf,
  countsInOrganization,
  senderOf,
} from '#shared/sending/check-email';
import { fillInTemplate, mayBeMended } from '#shared/sending/fill-in-template';
import {
  recipientsIn,
  type SendRequest,
  type TemplateSendRequest,
} from '#shared/sending/request/send-request';
import { readStored, readTemplates } from '#shared/sending/send-context';
import { checkSender } from '#shared/sending/sender';
import type { Sending } from '#shared/sending/sending';
import type { ApiKeyId, OrganizationId } from '#shared/tokens/resource-id';
import { templateGone, templateUnusable } from './waiting.ts';

export const recipientErased = 'RecipientErased';
/** Its key was revoked as leaked. */
const apiKeyLeaked = 'ApiKeyLeaked';

export type AdmittedAgain =
  | { readonly ok: true; readonly email: AdmittedEmail }
  | {
      readonly ok: false;
      readonly reason:
        | typeof recipientErased
        | typeof apiKeyLeaked
        | typeof templateUnusable
        | typeof templateGone;
    };

type AcceptedEarlier = {
  readonly acceptedAt: number;
  readonly apiKeyId: ApiKeyId | undefined;
  /** What its key was allowed to send from when it was accepted. */
  readonly fromEmail: string;
  readonly isTest: boolean;
  readonly now: number;
};

/**
 * Admits an email that was accepted earlier, by today's state: organization, sender, policy, suppressions and limits
 * may have changed. Attachments aren't checked again. It goes out even if its key has been revoked or narrowed since,
 * unless it was revoked as leaked, or the email would now come from another address, which its key may not use.
 *
 * Its template comes before sender and limits: it may name the sender, and an email that waits for it counts towards no
 * limit.
 *
 * @throws ServiceError with the code of the first check that fails.
 */
export async function admitAgain(
  organizationId: OrganizationId,
  accepted: SendRequest | TemplateSendRequest,
  { acceptedAt, apiKeyId, fromEmail, isTest, now }: AcceptedEarlier,
  sending: Pick<Sending, 'table' | 'limitsOfDeployment' | 'settings'>,
): Promise<AdmittedAgain> {
  const { table, settings } = sending;
  const named = recipientsIn(accepted);
  const [{ apiKey, organization, contactOf }, templateOf] = await Promise.all([
    readStored(table, organizationId, apiKeyId, named),
    readTemplates(table, organizationId, [accepted]),
  ]);
  if (organization === undefined) {
    throw new ServiceError('no_active_identity', 'The organization is gone.');
  }
  requireSameDigest(organization);
  if (apiKey?.leaked) return { ok: false, reason: apiKeyLeaked };
  const isThere = (address: EmailAddress) => !isErasedSince(contactOf(address), acceptedAt);
  if (!isThere(accepted.to)) return { ok: false, reason: recipientErased };
  const people = {
    ...accepted,
    moreTo: accepted.moreTo.filter(isThere),
    cc: accepted.cc.filter(isThere),
    bcc: accepted.bcc.filter(isThere),
  };
  const template = people.template && templateOf(people.template.asked);
  const filled = await fillInTemplate({ request: people, template });
  if (!filled.ok) {
    const reason = mayBeMended({ request: people, template }) ? templateUnusable : templateGone;
    return { ok: false, reason };
  }
  const { request } = filled.email;
  const from = request.from ?? senderOf(template);
  const mode = isTest ? { test: true as const } : {};
  const isKeyGone = apiKeyId !== undefined && apiKey === undefined;
  const allowedFrom = isKeyGone ? [] : apiKey?.allowedFrom;
  const allowed = allowedFrom && { allowedFrom: [...allowedFrom, fromEmail.toLowerCase()] };
  // Its template, or the organization, may name another sender by now.
  const verdict = checkSender(organization, from, { ...mode, ...allowed }, settings);
  if (!verdict.ok) throw verdict.error;
  const addressing = addressingOf(request, organization, contactOf);
  if (!addressing.ok) throw addressing.error;
  const { policyKey, policy, recipients } = addressing;
  if (countsInOrganization({ isTest, recipients })) {
    await limitOrganization(organization, countRecipients(recipients), now, sending, mode);
  }
  const email = {
    apiKey: undefined,
    isTest,
    organization,
    sender: verdict.sender,
    request,
    policyKey,
    policy,
    recipients,
    attachments: { count: 0, totalBytes: 0 },
  };
  return { ok: true, email };
}
