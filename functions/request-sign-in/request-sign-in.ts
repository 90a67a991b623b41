import * as z from 'zod/mini';
import { newMailedLink } from '#shared/access/mailed-link';
import { storeMailedLink } from '#shared/access/mailed-link-store';
import { linkMs } from '#shared/access/sign-in';
import { bareAddress } from '#shared/contacts/address-field';
import { defineEndpoint, WithHeaders } from '#shared/endpoints/endpoint';
import { signInBrowserIn, signInCookie } from '#shared/http/session-cookie';
import { sourceNetworkOf } from '#shared/http/source-address';
import {
  admitBareAddress,
  knowsStrangerRules,
  maxRequestsPerHour,
} from '#shared/preferences/limit-strangers';
import { bareAddressPartitions, mailedLinkPartitions } from '#shared/table/keys';
import { randomBase32 } from '#shared/tokens/base32';
import { readsKeyring } from '#shared/tokens/keyring-reader';

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
      tableActions: ['PutItem', 'UpdateItem'],
      writesOnlyIn: { PutItem: [mailedLinkPartitions], UpdateItem: [bareAddressPartitions] },
    },
    words: {
      section: 'Console',
      summary: 'Ask for a sign-in link by email',
      description: `For people (\`/api/v1/people\`). The link works once, for ${linkMs / 60_000} minutes, and only in the browser that asked: the answer sets a cookie for that. An address that several organizations invited gets one link, to the organization where it was used last. The answer is the same for every address: whose it is, is looked up later. An address gets at most ${maxRequestsPerHour} links an hour.`,
      fields: { email: 'The address to sign in with.' },
      example: { body: { email: 'carol@example.com' } },
    },
  },
  // Writes the same for every address, so neither the answer nor its time tells whether somebody has it.
  async ({ readParts, headers, source }, signingIn) => {
    const { email } = readParts().body;
    const { table, strangers } = signingIn;
    const network = sourceNetworkOf(source, strangers.proxiesInFront);
    await admitBareAddress({ identity: email.identity, network, access: 'sign in' }, signingIn);
    // A browser may have several links at once, all for the same cookie.
    const browser = signInBrowserIn(headers['cookie']) ?? randomBase32(32);
    const now = signingIn.now();
    await storeMailedLink(table, newMailedLink(email.identity, browser, now));
    return new WithHeaders(undefined, { 'Set-Cookie': signInCookie(browser, now + linkMs, now) });
  },
);
