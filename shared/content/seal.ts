import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const cipher = 'aes-256-gcm';
const ivLength = 12;
const tagLength = 16;

/** For one content only. Who forgets it has erased the content, even if that is stored only later. */
export const newSealKey = (): string => randomBytes(32).toString('base64url');

export function seal(plain: Uint8Array, sealKey: string): Buffer {
  const iv = randomBytes(ivLength);
  const sealing = createCipheriv(cipher, Buffer.from(sealKey, 'base64url'), iv);
  return Buffer.concat([iv, sealing.update(plain), sealing.final(), sealing.getAuthTag()]);
}

/** @throws Error when it was sealed with another key, or changed. */
export function unseal(sealed: Uint8Array, sealKey: string): Buffer {
  const key = Buffer.from(sealKey, 'base64url');
  const opening = createDecipheriv(cipher, key, sealed.subarray(0, ivLength), {
    authTagLength: tagLength,
  });
  opening.setAuthTag(sealed.subarray(-tagLength));
  return Buffer.concat([opening.update(sealed.subarray(ivLength, -tagLength)), opening.final()]);
}
