import * as z from 'zod/mini';
import { endedSession } from '#shared/access/api-key';
import { scopesOfRole } from '#shared/access/roles';
import { confirmedUntil, keyShownMs, sessionMs } from '#shared/access/sign-in';
import { knowsRegion } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { getOrganization } from '#shared/organizations/organization-store';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { apiKeyIdSchema, organizationIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    route: 'GET /console/session',
    access: 'session',
    answers: {
      200: {
        body: z.object({
          organization: z.object({ id: organizationIdSchema, name: z.string() }),
          keyId: apiKeyIdSchema,
          person: z.optional(
            z.object({
              email: z.string(),
              role: z.string(),
              entered: z.optional(z.object({ reason: z.string() })),
            }),
          ),
          isFromIssuer: z.optional(z.literal(true)),
          scopes: z.array(z.string()),
          region: z.string(),
          expiresAt: z.int(),
          confirmedUntil: z.int(),
        }),
        description: 'The session.',
        example: {
          organization: { id: exampleIds.organization, name: 'Example Ltd' },
          keyId: exampleIds.apiKey,
          person: { email: 'carol@example.com', role: 'support' },
          scopes: [...scopesOfRole('support')],
          region: 'eu-west-1',
          expiresAt: exampleTime + sessionMs,
          confirmedUntil: exampleTime + keyShownMs,
        },
      },
    },
    uses: { region: knowsRegion },
    lambda: { stack: 'Console', tableActions: ['GetItem'] },
    words: {
      section: 'Console',
      summary: 'Show who is signed in',
      description: 'For the console, by its cookie. API keys are refused.',
      fields: {
        organization: 'The organization of the session.',
        name: 'The name of the organization.',
        keyId:
          'The API key the session began with, or that made its link. Of a person, their ID in `/api/v1/people`.',
        person: 'Who is signed in. Absent if it’s somebody with an API key.',
        email: 'The address of the person.',
        role: 'The role of the person: `operator` of one who operates the deployment and has entered no organization.',
        isFromIssuer:
          'They signed in with the deployment’s identity provider, and do so again for what needs a recent sign-in.',
        entered: 'Present if it’s an operator who has entered the organization.',
        reason: 'Why they have entered it.',
        scopes: 'What the session may do.',
        region: 'The AWS Region that the service runs in.',
        expiresAt: 'When the session ends, in epoch milliseconds.',
        confirmedUntil:
          'Until when the session may do what needs the key or a recent sign-in, in epoch milliseconds. In the past if it wasn’t confirmed recently.',
      },
    },
  },
  async ({ caller: { organizationId, apiKey, session } }, { table, region }) => {
    const organization = await getOrganization(table, organizationId);
    if (organization === undefined) throw endedSession();
    const { id, name } = organization;
    return {
      organization: { id, name },
      keyId: apiKey.id,
      ...(apiKey.person && { person: apiKey.person }),
      ...(session.oidc && { isFromIssuer: true as const }),
      scopes: apiKey.scopes,
      region,
      expiresAt: session.expiresAt,
      confirmedUntil: confirmedUntil(session),
    };
  },
);
