import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

// An authenticator in software, with the passkeys of one person. What it answers can be made wrong in one place at a time.

type Encodable = string | number | Uint8Array | ReadonlyMap<string | number, Encodable>;

/** As much of CBOR as authenticators need (RFC 8949 §3.1). */
function cbor(value: Encodable): Buffer {
  if (typeof value === 'number') {
    return value < 0 ? head(1, -1 - value) : head(0, value);
  }
  if (typeof value === 'string') return Buffer.concat([head(3, value.length), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([name, one]) => [cbor(name), cbor(one)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

function head(type: number, size: number): Buffer {
  const major = type << 5;
  if (size < 24) return Buffer.from([major | size]);
  return size < 256
    ? Buffer.from([major | 24, size])
    : Buffer.from([major | 25, size >> 8, size & 255]);
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();
const encoded = (data: string | Uint8Array): string => Buffer.from(data).toString('base64url');

type CreationOptions = {
  readonly challenge: string;
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
};
type RequestOptions = { readonly challenge: string; readonly rpId: string };

/** What may be wrong. */
type Faults = {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly counter?: number;
  readonly userHandle?: string;
  /** It wasn't shown who uses it. */
  readonly isUnverified?: true;
  /** As an authenticator that tells its make. */
  readonly statement?: { readonly fmt: string; readonly attStmt: ReadonlyMap<string, Encodable> };
};

type Credential = {
  readonly id: Buffer;
  readonly privateKey: KeyObject;
  readonly publicKey: Buffer;
  readonly userHandle: string;
  counter: number;
};

const present = 0x01;
const verified = 0x04;
const mayBeBackedUp = 0x08;
const isBackedUp = 0x10;
const hasCredential = 0x40;

export function openAuthenticator(origin: string) {
  const credentials: Credential[] = [];

  const authenticatorData = (
    rpId: string,
    { isUnverified, counter = 0 }: Faults,
    attested: Buffer = Buffer.alloc(0),
  ): Buffer => {
    const flags =
      present |
      (isUnverified ? 0 : verified) |
      mayBeBackedUp |
      isBackedUp |
      (attested.length > 0 ? hasCredential : 0);
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), count, attested]);
  };
  const clientData = (type: string, challenge: string, faults: Faults): string =>
    JSON.stringify({
      type: faults.type ?? type,
      challenge: faults.challenge ?? challenge,
      origin: faults.origin ?? origin,
      crossOrigin: false,
    });

  return {
    /** The body that adds a passkey. */
    create: ({ challenge, rp, user }: CreationOptions, faults: Faults = {}) => {
      const credential = newCredential(user.id);
      credentials.push(credential);
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credential.id.length);
      const attested = Buffer.concat([
        Buffer.alloc(16),
        length,
        credential.id,
        credential.publicKey,
      ]);
      const { fmt = 'none', attStmt = new Map() } = faults.statement ?? {};
      const attestationObject = new Map<string, Encodable>([
        ['fmt', fmt],
        ['attStmt', attStmt],
        ['authData', authenticatorData(faults.rpId ?? rp.id, faults, attested)],
      ]);
      return {
        name: 'Software',
        id: encoded(credential.id),
        clientDataJSON: encoded(clientData('webauthn.create', challenge, faults)),
        attestationObject: encoded(cbor(attestationObject)),
        transports: ['internal'],
      };
    },
    /** The body that signs in with the passkey that was made last, or another one. */
    get: ({ challenge, rpId }: RequestOptions, faults: Faults = {}, which = -1) => {
      const credential = credentials.at(which);
      if (credential === undefined) throw new Error('The authenticator has no passkey');
      credential.counter += 1;
      const { counter = credential.counter } = faults;
      const data = authenticatorData(faults.rpId ?? rpId, { ...faults, counter });
      const clientDataJSON = clientData('webauthn.get', challenge, faults);
      const signed = Buffer.concat([data, sha256(clientDataJSON)]);
      return {
        id: encoded(credential.id),
        clientDataJSON: encoded(clientDataJSON),
        authenticatorData: encoded(data),
        signature: encoded(sign('sha256', signed, credential.privateKey)),
        userHandle: faults.userHandle ?? credential.userHandle,
      };
    },
  };
}

function newCredential(userHandle: string): Credential {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  // COSE: an elliptic curve (1: 2) for ES256 (3: -7) on P-256 (-1: 1), with its point.
  const cose = new Map<number, Encodable>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ]);
  return { id: randomBytes(32), privateKey, publicKey: cbor(cose), userHandle, counter: 0 };
}
