import * as z from 'zod/mini';
import type { Presented } from '#shared/access/admit-caller';
import { type ApiKey, authenticate, holdsSecret, parseApiKey } from '#shared/access/api-key';
import { getApiKey } from '#shared/access/api-key-store';
import { changeSignIns } from '#shared/access/change-sign-ins';
import { type DayLimiting, limitSignInLinks } from '#shared/access/limit-day';
import { requireScope } from '#shared/access/scopes';
import { linkMs, newLink, withSignIn } from '#shared/access/sign-in';
import { allowsKeySignIn } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { ServiceError } from '#shared/errors/service-error';
import type { TableAndClock } from '#shared/table/table-client';
import { exampleIds, exampleTime } from '#shared/tokens/example-values';
import { organizationIdOf } from '#shared/tokens/resource-id';

export const endpoint = defineEndpoint(
  {
    route: 'POST /console/links',
    access: { key: 'required', scope: 'manage_organization', refusesSessions: true },
    answers: {
      201: {
        body: z.object({
          path: z.string(),
          expiresAt: z.int(),
        }),
        description: 'The link. You won’t see it again.',
        example: {
          path: `/console/sign-in#${exampleIds.apiKeyText.replace('esk_', 'esl_')}`,
          expiresAt: exampleTime + linkMs,
        },
      },
    },
    errors: ['concurrent_change', 'sign_in_link_limit_reached', 'key_sign_in_off'],
    admitsInOperation: true,
    uses: { keySignIn: allowsKeySignIn },
    lambda: {
      stack: 'Console',
      tableActions: ['GetItem'],
      signsIn: true,
      writesAudit: true,
      countsInDay: true,
    },
    words: {
      section: 'Console',
      summary: 'Make a sign-in link',
      description: `The link signs in to the console once, within ${linkMs / 60_000} minutes, with the key’s rights. A session can’t make one. Share it only with people who may have the key. \`npm run manage -- console link\` prints it.`,
      fields: {
        path: 'The path of the link. Prepend the service’s address. Browsers don’t send the part after the `#`.',
        expiresAt: 'When an unused link stops working, in epoch milliseconds.',
      },
    },
  },
  createSignInLink,
);

/**
 * The link signs in once, as the key would. Its secret follows the `#`, which browsers don't send, so a program that
 * only opens the link doesn't use it up: it would have to run the page and press its button.
 */
export async function createSignInLink(
  { credential, context }: Presented,
  signingIn: TableAndClock & DayLimiting & { readonly keySignIn?: boolean },
): Promise<{ readonly path: string; readonly expiresAt: number }> {
  const presented = parseApiKey(credential);
  if (presented.isSession) throw needsKey();
  const admit = (stored: ApiKey | undefined, now: number): ApiKey => {
    if (holdsSecret(presented, stored)) context.apiKeyId = presented.id;
    const apiKey = authenticate(presented, stored, now);
    requireScope(apiKey, 'manage_organization');
    return apiKey;
  };

  const found = await getApiKey(signingIn.table, presented.id);
  const at = signingIn.now();
  admit(found?.apiKey, at);
  if (signingIn.keySignIn === false) throw new ServiceError('key_sign_in_off');
  const owner = { organizationId: organizationIdOf(presented.id), ownLimits: found?.limits };
  await limitSignInLinks(owner, at, signingIn);

  return changeSignIns(
    presented.id,
    (stored, now) => {
      const apiKey = admit(stored, now);
      const { text, signIn } = newLink(apiKey, now);
      return {
        change: {
          after: withSignIn(apiKey.signIns, signIn, now),
          actor: apiKey.id,
          action: 'sign_in_link.created',
        },
        result: { path: `/console/sign-in#${text}`, expiresAt: signIn.expiresAt },
      };
    },
    signingIn,
  );
}

// A copied cookie must not be renewed forever.
const needsKey = (): ServiceError =>
  new ServiceError('invalid_api_key', 'A session can’t make sign-in links. Use an API key.');
