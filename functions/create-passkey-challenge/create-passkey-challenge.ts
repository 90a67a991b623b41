import * as z from 'zod/mini';
import { knowsOrigin } from '#shared/aws/settings';
import { defineEndpoint, WithHeaders } from '#shared/endpoints/endpoint';
import { signInBrowserIn, signInCookie } from '#shared/http/session-cookie';
import { challengeMs, newChallenge, signingInFrom } from '#shared/passkeys/challenge';
import { randomBase32 } from '#shared/tokens/base32';
import { readsKeyring } from '#shared/tokens/keyring-reader';

const optionsSchema = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
});

export const endpoint = defineEndpoint(
  {
    route: 'POST /console/passkey-sign-in/options',
    access: 'anybody',
    answers: {
      200: {
        body: optionsSchema,
        description: 'What the browser needs, as `parseRequestOptionsFromJSON` takes it.',
        headers: ['Set-Cookie'],
        example: {
          challenge: 'azEuZXhhbXBsZQ',
          rpId: 'mail.example.com',
          timeout: challengeMs,
          userVerification: 'required',
        },
      },
    },
    admitsInOperation: true,
    uses: { keyring: readsKeyring, origin: knowsOrigin },
    lambda: { stack: 'Console', tableActions: [] },
    words: {
      section: 'Console',
      summary: 'Begin to sign in with a passkey',
      description: `Names nobody: the passkey says whose it is. The challenge can be answered for ${challengeMs / 60_000} minutes, in the browser that asked: the answer sets a cookie for that. Pass the answer of the authenticator to \`POST /console/session/passkey\`.`,
      fields: {
        challenge: 'What the authenticator signs.',
        rpId: 'The site that the passkey must be for: the host of this deployment.',
        timeout: 'How long the person may take, in milliseconds.',
        userVerification: 'The owner of the passkey shows that it’s them, by a fingerprint or PIN.',
      },
    },
  },
  // It stores nothing and reads no table, so anybody may have as many as they like.
  async ({ headers }, { now, keyring, origin: { hostname } }) => {
    const at = now();
    // A link that was asked for in this browser keeps working.
    const browser = signInBrowserIn(headers['cookie']) ?? randomBase32(32);
    return new WithHeaders(
      {
        challenge: newChallenge(await keyring(), signingInFrom(browser), at),
        rpId: hostname,
        timeout: challengeMs,
        userVerification: 'required' as const,
      },
      { 'Set-Cookie': signInCookie(browser, at + challengeMs, at) },
    );
  },
);
