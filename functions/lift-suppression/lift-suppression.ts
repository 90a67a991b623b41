import * as z from 'zod/mini';
import { knowsRetention } from '#shared/aws/settings';
import { suppressionReasons } from '#shared/contacts/contact';
import { parseEmailAddress } from '#shared/contacts/email-address';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { invalidField, ServiceError } from '#shared/errors/service-error';
import { liftFromContact, providerListOutcomes } from '#shared/suppressions/lift-from-contact';
import { removesFromProviderList } from '#shared/suppressions/ses-suppression-list';
import { getSuppressedContact } from '#shared/suppressions/suppression-list-store';
import { liftsSuppressions } from '#shared/suppressions/suppression-rights';
import { contactIdOf } from '#shared/tokens/resource-id';
import { wakesWebhooks } from '#shared/webhook-deliveries/sqs-delivery-queue';

export const endpoint = defineEndpoint(
  {
    route: 'DELETE /api/v1/suppressions/{email}',
    access: { key: 'required', scope: ['suppressions_manage', 'manage_organization'] },
    path: z.object({ email: z.string() }),
    query: z.strictObject({
      reason: z.optional(z.enum(suppressionReasons)),
    }),
    answers: {
      200: {
        body: z.object({
          lifted: z.array(z.enum(suppressionReasons)),
          remaining: z.array(z.enum(suppressionReasons)),
          providerList: z.enum(providerListOutcomes),
        }),
        description: 'The suppression is lifted.',
        example: { lifted: ['bounce'], remaining: [], providerList: 'removed' },
      },
    },
    errors: ['suppression_not_found', 'concurrent_change', 'provider_throttled'],
    isLimited: true,
    uses: {
      providerList: removesFromProviderList,
      wakeQueue: wakesWebhooks,
      sendRetentionDays: knowsRetention,
    },
    lambda: { stack: 'Recipients', ...liftsSuppressions },
    words: {
      section: 'Suppressions',
      summary: 'Lift the suppression of an address',
      description: `Without \`reason\` it lifts every reason but \`unsubscribe\`, which is the person’s own decision.

SES keeps its own list and drops email to the addresses on it. The address is taken off that list first. SES allows about one such call a second: after a 429, wait for \`Retry-After\`, then repeat.`,
      fields: {
        email: 'The address, URL-encoded.',
        reason: 'The only reason to lift.',
        lifted: 'The reasons that were lifted.',
        remaining: 'Why the address still gets no email. Empty if it does.',
        providerList:
          '`removed`: it was on SES’s own list. `not_listed`: it wasn’t. `untouched`: SES wasn’t asked, because no bounce or complaint about your own emails was lifted, or another one remains.',
      },
      example: { path: { email: 'bob@example.com' }, query: { reason: 'bounce' } },
    },
  },
  // Lifts one reason, or all but the person's own unsubscription.
  async ({ caller, path: { email }, query: { reason: only } }, service) => {
    const parsed = parseEmailAddress(email);
    if (!parsed.ok) throw invalidField('email', parsed.reason);

    const { address, identity } = parsed.value;
    const contactId = contactIdOf(caller.organizationId, identity);
    const { suppressions: all } = await getSuppressedContact(service.table, contactId);
    const isToLift = (reason: string) =>
      only === undefined ? reason !== 'unsubscribe' : reason === only;
    const present = all.map(({ reason }) => reason);
    const reasons = present.filter(isToLift);
    if (reasons.length === 0) throw new ServiceError('suppression_not_found');
    const lift = { contactId, all, reasons, address };
    const providerList = await liftFromContact(lift, caller, service);
    return {
      lifted: reasons,
      remaining: present.filter((reason) => !isToLift(reason)),
      providerList,
    };
  },
);
