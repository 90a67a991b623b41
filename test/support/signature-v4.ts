import { createHash, createHmac } from 'node:crypto';

type SignatureScope = {
  readonly secretKey: string;
  /** As in `X-Amz-Date`: 20260102T030405Z. */
  readonly time: string;
  readonly region: string;
  readonly service: string;
};

/** What the signature of a canonical request must be (IAM guide, "Create a signed AWS API request"). */
export function signatureV4(
  { secretKey, time, region, service }: SignatureScope,
  canonicalRequest: readonly unknown[],
): string {
  const scope = [time.slice(0, 8), region, service, 'aws4_request'];
  const digest = sha256(canonicalRequest.join('\n'));
  const toSign = ['AWS4-HMAC-SHA256', time, scope.join('/'), digest].join('\n');
  return hmac(scope.reduce(hmac, Buffer.from(`AWS4${secretKey}`)), toSign).toString('hex');
}

export const sha256 = (content: string) => createHash('sha256').update(content).digest('hex');
const hmac = (key: Buffer, text: string) => createHmac('sha256', key).update(text).digest();
