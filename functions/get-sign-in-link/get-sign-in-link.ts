import * as z from 'zod/mini';
import { maySignIn, maySignInByAddress } from '#shared/access/api-key';
import { getApiKey } from '#shared/access/api-key-store';
import { linkNotFound } from '#shared/access/change-sign-ins';
import { readCredential } from '#shared/access/credential-text';
import { findMailedLink } from '#shared/access/mailed-link-store';
import { findSignIn, linkMs } from '#shared/access/sign-in';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { getOrganization } from '#shared/organizations/organization-store';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { organizationIdOf, organizationIdSchema } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    route: 'POST /console/links/look',
    access: 'anybody',
    body: z.strictObject({
      link: z.string().check(z.minLength(1), z.maxLength(200)),
    }),
    answers: {
      200: {
        body: z.object({
          organization: z.object({ id: organizationIdSchema, name: z.string() }),
          expiresAt: z.int(),
        }),
        description: 'The link works.',
        example: {
          organization: { id: exampleIds.organization, name: 'Example Ltd' },
          expiresAt: exampleTime + linkMs,
        },
      },
    },
    errors: ['link_not_found'],
    lambda: { stack: 'Console', tableActions: ['GetItem'] },
    words: {
      section: 'Console',
      summary: 'Look at a sign-in link',
      description:
        'Names the organization that the link signs in to, for the console to show above its button. Doesn’t use up the link.',
      fields: {
        link: 'The part of a sign-in link after the `#`.',
        organization: 'The organization that the link signs in to.',
        name: 'The name of the organization.',
        expiresAt: 'When the link stops working if nobody uses it, in epoch milliseconds.',
      },
      example: { body: { link: exampleIds.apiKeyText.replace('esk_', 'esl_') } },
    },
  },
  // Names the link's organization before anyone signs in: it may be a stranger's. Doesn't use up the link.
  async ({ body: { link } }, { table, now }) => {
    const at = now();
    const presented = readCredential(link);
    const mailed =
      presented?.kind === 'mailedLink' ? await findMailedLink(table, presented, at) : undefined;
    const keyId = mailed?.made.keyId ?? (presented?.kind === 'link' ? presented.id : undefined);
    if (presented === undefined || keyId === undefined) throw linkNotFound();
    const [found, organization] = await Promise.all([
      getApiKey(table, keyId),
      getOrganization(table, organizationIdOf(keyId)),
    ]);
    const { secretHash } = presented;
    const expiresAt = mailed
      ? mailed.expiresAt * 1_000
      : findSignIn(found?.apiKey.signIns, { kind: 'link', secretHash }, at)?.expiresAt;
    if (!found || !organization || expiresAt === undefined) throw linkNotFound();
    const may = mailed ? maySignInByAddress : maySignIn;
    if (!may(found.apiKey, at)) throw linkNotFound();
    const { id, name } = organization;
    return { organization: { id, name }, expiresAt };
  },
);
