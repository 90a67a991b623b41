import { verifyRegistrationResponse } from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import * as z from 'zod/mini';
import type { SignedIn } from '#shared/access/admit-caller';
import { knowsOrigin } from '#shared/aws/settings';
import { defineEndpoint } from '#shared/endpoints/endpoint';
import { addingIn, challengeIn, madeAt } from '#shared/passkeys/challenge';
import { changePasskeys } from '#shared/passkeys/change-passkeys';
import {
  algorithms,
  clientDataField,
  credentialIdField,
  encodedBytes,
  examplePasskey,
  maxPasskeys,
  type Passkey,
  passkeyIdOf,
  passkeyRefused,
  passkeyViewSchema,
  passkeyWords,
  requirePasskeyOwner,
  requireRoom,
  toPasskeyView,
} from '#shared/passkeys/passkey';
import { accountPartitions } from '#shared/table/keys';
import type { TableAndClock } from '#shared/table/table-client';
import { readsKeyring } from '#shared/tokens/keyring-reader';
import type { Keyring } from '#shared/tokens/signed-token';

const maxNameLength = 60;
const maxTransports = 8;

const bodySchema = z.strictObject({
  name: z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(maxNameLength),
    z.regex(/^[^\p{Cc}\p{Cs}]*$/u, {
      error: 'must not contain control characters or line breaks',
    }),
  ),
  id: credentialIdField,
  clientDataJSON: clientDataField,
  attestationObject: encodedBytes(8_192),
  transports: z._default(
    z.array(z.string().check(z.maxLength(32))).check(z.maxLength(maxTransports)),
    [],
  ),
});

export const endpoint = defineEndpoint(
  {
    route: 'POST /console/passkeys',
    access: 'session',
    body: bodySchema,
    answers: {
      201: { body: passkeyViewSchema, description: 'The passkey.', example: examplePasskey },
    },
    errors: ['person_required', 'passkey_refused', 'too_many_passkeys', 'concurrent_change'],
    isLimited: true,
    uses: { keyring: readsKeyring, origin: knowsOrigin },
    lambda: {
      stack: 'Console',
      tableActions: ['GetItem', 'PutItem'],
      writesOnlyIn: { PutItem: [accountPartitions] },
      writesAudit: true,
    },
    words: {
      section: 'Console',
      summary: 'Add a passkey',
      description: `It signs in to every organization of the address. Takes what the authenticator answered to \`POST /console/passkeys/options\`, in base64url. The authenticator must have checked that it’s its owner, and isn’t asked for its make. Safe to repeat. An address has at most ${maxPasskeys}.`,
      fields: {
        ...passkeyWords,
        id: 'The ID of the passkey: as the authenticator made it in the request, and of this service in the answer.',
        clientDataJSON: 'What the browser told the authenticator.',
        attestationObject: 'What the authenticator made.',
        transports: 'How the browser reaches the authenticator, as it says.',
      },
      example: {
        body: {
          name: examplePasskey.name,
          id: 'ZXhhbXBsZQ',
          clientDataJSON: 'e30',
          attestationObject: 'oA',
          transports: ['internal'],
        },
      },
    },
  },
  async ({ caller, body }, service) => createPasskey({ caller, body }, service),
);

type Addition = {
  readonly caller: Pick<SignedIn, 'apiKey' | 'session' | 'organizationId' | 'actor'>;
  readonly body: z.output<typeof bodySchema>;
};

type Verifying = {
  readonly keyring: () => Promise<Keyring>;
  readonly origin: { readonly origin: string; readonly hostname: string };
};

/** Its challenge is of a session that had signed in recently, so that isn't asked again. */
export async function createPasskey(
  { caller, body }: Addition,
  service: TableAndClock & Verifying,
): Promise<z.output<typeof passkeyViewSchema>> {
  requirePasskeyOwner(caller);
  const made = await verifiedPasskey({ caller, body }, service);
  return changePasskeys(
    caller,
    (before) => {
      const known = before.find(({ credentialId }) => credentialId === made.credentialId);
      // The answer was lost. Nothing of it is new, not even a key that somebody exchanged.
      if (known !== undefined) return { result: toPasskeyView(known) };
      requireRoom(before);
      return {
        passkeys: [...before, made],
        change: { action: 'passkey.added', after: { passkey: passkeyIdOf(made) } },
        result: toPasskeyView(made),
      };
    },
    service,
  );
}

async function verifiedPasskey(
  { caller, body }: Addition,
  { now, keyring, origin }: TableAndClock & Verifying,
): Promise<Passkey> {
  const { id, clientDataJSON, attestationObject, transports, name } = body;
  const at = now();
  const challenge = challengeIn(clientDataJSON) ?? '';
  const answeredAt = madeAt(await keyring(), addingIn(caller), challenge, at);
  if (answeredAt === undefined) throw passkeyRefused();
  try {
    requireNoCertificates(attestationObject);
    const { registrationInfo } = await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON, attestationObject },
      },
      expectedChallenge: challenge,
      expectedOrigin: origin.origin,
      expectedRPID: origin.hostname,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...algorithms],
    });
    if (registrationInfo === undefined || registrationInfo.credential.id !== id) {
      throw passkeyRefused();
    }
    const { credential, credentialBackedUp } = registrationInfo;
    return {
      credentialId: id,
      publicKey: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports,
      backedUp: credentialBackedUp,
      name,
      createdAt: at,
      answeredAt,
    };
  } catch {
    // The library's errors quote what was sent.
    throw passkeyRefused();
  }
}

/**
 * Without being asked for its make, an authenticator sends no certificates (Web Authentication Level 3, §5.1.3, step
 * 22.3). The library would fetch revocation lists from where they say.
 */
function requireNoCertificates(attestationObject: string): void {
  const decoded = decodeAttestationObject(Buffer.from(attestationObject, 'base64url'));
  const hasNone =
    decoded.get('fmt') === 'none' ||
    (decoded.get('fmt') === 'packed' && decoded.get('attStmt').get('x5c') === undefined);
  if (!hasNone) throw passkeyRefused();
}
