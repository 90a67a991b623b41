import * as z from 'zod/mini';
import type { SignedIn } from '#shared/access/admit-caller';
import { keyShownMs, requireShownKey } from '#shared/access/sign-in';
import { knowsOrigin } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { addingIn, challengeMs, newChallenge } from '#shared/passkeys/challenge';
import { algorithms, requirePasskeyOwner, requireRoom } from '#shared/passkeys/passkey';
import { readAccount } from '#shared/passkeys/passkey-store';
import type { TableAndClock } from '#shared/table/table-client';
import { readsKeyring } from '#shared/tokens/keyring-reader';
import type { Keyring } from '#shared/tokens/signed-token';

const credentialSchema = z.object({
  type: z.literal('public-key'),
  id: z.string(),
  transports: z.array(z.string()),
});

const optionsSchema = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  excludeCredentials: z.array(credentialSchema),
  authenticatorSelection: z.object({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
  attestation: z.literal('none'),
});
export type PasskeyOptions = z.output<typeof optionsSchema>;

const fixedOptions = {
  pubKeyCredParams: algorithms.map((alg) => ({ type: 'public-key' as const, alg })),
  timeout: challengeMs,
  authenticatorSelection: {
    residentKey: 'required',
    requireResidentKey: true,
    userVerification: 'required',
  },
  attestation: 'none',
} as const;

export const endpoint = defineEndpoint(
  {
    route: 'POST /console/passkeys/options',
    access: 'session',
    answers: {
      200: {
        body: optionsSchema,
        description: 'What the browser needs, as `parseCreationOptionsFromJSON` takes it.',
        example: {
          ...fixedOptions,
          challenge: 'azEuZXhhbXBsZQ',
          rp: { id: 'mail.example.com', name: 'mail.example.com' },
          user: {
            id: 'ZXhhbXBsZQ',
            name: 'carol@example.com',
            displayName: 'carol@example.com',
          },
          excludeCredentials: [],
        },
      },
    },
    errors: ['person_required', 'recent_sign_in_required', 'too_many_passkeys'],
    uses: { keyring: readsKeyring, origin: knowsOrigin },
    lambda: { stack: 'Console', tableActions: ['GetItem'] },
    words: {
      section: 'Console',
      summary: 'Begin to add a passkey',
      description: `For a person who signed in within the last ${keyShownMs / 60_000} minutes. The challenge is for this session, and can be answered for ${challengeMs / 60_000} minutes. Pass the answer of the authenticator to \`POST /console/passkeys\`.`,
      fields: {
        challenge: 'What the authenticator signs.',
        rp: 'The site that the passkey is for: the host of this deployment.',
        user: 'Names the address to its authenticators.',
        displayName: 'The address again.',
        pubKeyCredParams: 'The algorithms to choose from, the preferred one first.',
        alg: 'The number of an algorithm in COSE.',
        timeout: 'How long the person may take, in milliseconds.',
        excludeCredentials: 'The passkeys that they have: an authenticator needs only one.',
        transports: 'How a browser reaches the authenticator.',
        authenticatorSelection:
          'The passkey says whose it is, and its owner shows that it’s them, by a fingerprint or PIN.',
        residentKey: '`required`: signing in takes no address.',
        requireResidentKey: 'The same for old browsers.',
        userVerification: '`required`: possession alone isn’t enough.',
        attestation: '`none`: any authenticator will do.',
      },
    },
  },
  async ({ caller }, service) => createPasskeyOptions(caller, service),
);

type Creating = TableAndClock & {
  readonly keyring: () => Promise<Keyring>;
  readonly origin: { readonly hostname: string };
};

/** A copied session could otherwise make itself a way back in. */
export async function createPasskeyOptions(
  caller: Pick<SignedIn, 'apiKey' | 'session'>,
  { table, now, keyring, origin: { hostname } }: Creating,
): Promise<PasskeyOptions> {
  const { email } = requirePasskeyOwner(caller);
  const at = now();
  requireShownKey(caller, at);
  const { handle, passkeys } = await readAccount(table, email, at);
  requireRoom(passkeys);
  return {
    ...fixedOptions,
    pubKeyCredParams: [...fixedOptions.pubKeyCredParams],
    challenge: newChallenge(await keyring(), addingIn(caller), at),
    rp: { id: hostname, name: hostname },
    user: { id: Buffer.from(handle).toString('base64url'), name: email, displayName: email },
    excludeCredentials: passkeys.map(({ credentialId, transports }) => ({
      type: 'public-key',
      id: credentialId,
      transports,
    })),
  };
}
