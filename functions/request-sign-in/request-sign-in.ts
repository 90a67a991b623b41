import { setTimeout } from 'node:timers/promises';
import * as z from 'zod/mini';
import { addMailedLink } from '#shared/access/change-sign-ins';
import { findPersonalKeys } from '#shared/access/people-store';
import { browserHashOf, linkMs } from '#shared/access/sign-in';
import { bareAddress } from '#shared/contacts/address-field';
import { defineEndpoint, WithHeaders } from '#shared/endpoints/endpoint';
import { signInBrowserIn, signInCookie } from '#shared/http/session-cookie';
import { sourceNetworkOf } from '#shared/http/source-address';
import { linkSecretOf, newSignInNotice } from '#shared/notices/people-notice';
import { fileSignInNotice } from '#shared/notices/sign-in-notice-store';
import type { RequestLog } from '#shared/observability/request-log';
import { getOrganization } from '#shared/organizations/organization-store';
import {
  admitBareAddress,
  knowsStrangerRules,
  maxRequestsPerHour,
} from '#shared/preferences/limit-strangers';
import { bareAddressPartitions, noticePartitions } from '#shared/table/keys';
import type { TableAndClock } from '#shared/table/table-client';
import { randomBase32 } from '#shared/tokens/base32';
import { readsKeyring } from '#shared/tokens/keyring-reader';
import { type ApiKeyId, organizationIdOf } from '#shared/tokens/resource-id';
import type { Keyring } from '#shared/tokens/signed-token';

/**
 * Longer than the reads and writes take, so the time of the answer doesn't tell whether anyone has the address. Not
 * longer: it holds an execution, of which a new account has ten.
 */
export const answerMs = 300;

export const endpoint = defineEndpoint(
  {
    route: 'POST /console/sign-in',
    access: 'anybody',
    body: z.strictObject({ email: bareAddress }),
    answers: {
      202: {
        description: 'If the address may sign in, a link is mailed to it within a minute.',
        headers: ['Set-Cookie'],
      },
    },
    errors: ['rate_limited'],
    admitsInOperation: true,
    uses: { keyring: readsKeyring, strangers: knowsStrangerRules },
    lambda: {
      stack: 'Console',
      tableActions: ['GetItem', 'PutItem', 'UpdateItem'],
      queriesIndexes: ['gsi1'],
      writesOnlyIn: {
        PutItem: [noticePartitions],
        UpdateItem: [noticePartitions, bareAddressPartitions],
      },
      signsIn: true,
      writesAudit: true,
    },
    words: {
      section: 'Console',
      summary: 'Ask for a sign-in link by email',
      description: `For people (\`/api/v1/people\`). The link works once, for ${linkMs / 60_000} minutes, and only in the browser that asked: the answer sets a cookie for that. An address that several organizations invited gets a link from each. The answer is the same for every address, and takes as long. An address gets at most ${maxRequestsPerHour} links an hour.`,
      fields: { email: 'The address to sign in with.' },
      example: { body: { email: 'carol@example.com' } },
    },
  },
  async ({ readParts, headers, source, log }, signingIn) => {
    const { email } = readParts().body;
    const { strangers } = signingIn;
    const network = sourceNetworkOf(source, strangers.proxiesInFront);
    await admitBareAddress({ identity: email.identity, network, access: 'sign in' }, signingIn);
    // A browser may have several links at once, all for the same cookie.
    const browser = signInBrowserIn(headers['cookie']) ?? randomBase32(32);
    const asking = { identity: email.identity, browser };
    await Promise.all([requestSignIn(asking, signingIn, log), setTimeout(answerMs)]);
    const now = signingIn.now();
    return new WithHeaders(undefined, { 'Set-Cookie': signInCookie(browser, now + linkMs, now) });
  },
);

type SigningIn = TableAndClock & { readonly keyring: () => Promise<Keyring> };

type Asking = {
  /** `EmailAddress.identity` */
  readonly identity: string;
  /** The cookie of the browser that asks. */
  readonly browser: string;
};

/**
 * Files a link for each organization that invited the address. `send-notices` mails them. A failure is only logged: an
 * error as the answer would tell that somebody has the address, and anyone who gets no email can ask again.
 */
export async function requestSignIn(
  { identity, browser }: Asking,
  signingIn: SigningIn,
  log: Pick<RequestLog, 'error'>,
): Promise<void> {
  const ids = await findPersonalKeys(signingIn.table, identity);
  await Promise.all(
    ids.map((id) =>
      requestLink(id, browser, signingIn).catch((error: unknown) =>
        log.error('sign-in link not filed', error, { organizationId: organizationIdOf(id) }),
      ),
    ),
  );
}

/** The link is stored before its email is filed: one without an email ends unused. */
async function requestLink(id: ApiKeyId, browser: string, signingIn: SigningIn): Promise<void> {
  const { table } = signingIn;
  const keyring = await signingIn.keyring();
  const nonce = randomBase32();
  const link = { secret: linkSecretOf(keyring, id, nonce), browserHash: browserHashOf(browser) };
  const person = await addMailedLink(id, link, signingIn);
  const organization = person && (await getOrganization(table, organizationIdOf(id)));
  if (person === undefined || organization === undefined) return;
  const notice = newSignInNotice(person, organization.name, nonce, signingIn.now());
  await fileSignInNotice(table, id, notice);
}
