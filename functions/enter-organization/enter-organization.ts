import * as z from 'zod/mini';
import { admitSession } from '#shared/access/admit-caller';
import { enteredMs, enterOrganization } from '#shared/access/operator-store';
import { requireOperator } from '#shared/access/operators';
import { requireShownKey } from '#shared/access/sign-in';
import { defineEndpoint, WithHeaders } from '#shared/endpoints/endpoint';
import { sessionCookieBefore } from '#shared/http/session-cookie';
import { auditPartitions, organizationPartitions } from '#shared/table/keys';
import { exampleIds } from '#shared/tokens/example-values';
import { organizationIdSchema } from '#shared/tokens/resource-id';

const maxReason = 200;

export const endpoint = defineEndpoint(
  {
    route: 'POST /console/operator/enter',
    access: 'session',
    body: z.strictObject({
      organizationId: organizationIdSchema,
      reason: z.string().check(z.trim(), z.minLength(1), z.maxLength(maxReason)),
    }),
    answers: {
      204: {
        description: 'The cookie holds a session in the organization.',
        headers: ['Set-Cookie'],
      },
    },
    errors: ['missing_scope', 'recent_sign_in_required', 'organization_not_found'],
    admitsInOperation: true,
    lambda: {
      stack: 'Console',
      tableActions: ['GetItem', 'ConditionCheckItem', 'PutItem'],
      writesOnlyIn: { PutItem: [organizationPartitions, auditPartitions] },
    },
    words: {
      section: 'Console',
      summary: 'Enter an organization as its operator',
      description: `For operators, who must have signed in lately. The session in the organization may do what the role \`support\` may, for ${enteredMs / 3_600_000} hour. The organization’s audit has the reason and the address, and names the operator in whatever they do; its address for notices gets an email. \`DELETE /console/session\` goes back to their own session. Who enters again ends their session there from before.`,
      fields: {
        organizationId: 'The organization.',
        reason: 'Why, in words for the people of the organization: don’t name a recipient.',
      },
      example: {
        body: { organizationId: exampleIds.organization, reason: 'Ticket 4711: bounces' },
      },
    },
  },
  async ({ credential, context, readParts }, service) => {
    const caller = await admitSession({ credential, context }, service);
    requireOperator(caller.apiKey);
    const { body } = readParts();
    requireShownKey(caller, service.now());
    const { text } = await enterOrganization(caller, body, service);
    const own = { text: credential ?? '', expiresAt: caller.session.expiresAt };
    const cookie = sessionCookieBefore(text, own, service.now());
    return new WithHeaders(undefined, { 'Set-Cookie': cookie });
  },
);
