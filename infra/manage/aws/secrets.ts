import * as z from 'zod';
import type { AwsAccount } from './aws-account.ts';
import { awsFailure } from './query-api.ts';

const secretSchema = z.object({
  SecretString: z.string(),
  VersionId: z.string(),
  /** Seconds since 1970, with decimals. */
  CreatedDate: z.number(),
});
const refusalSchema = z.object({
  __type: z.string().optional(),
  message: z.string().optional(),
  Message: z.string().optional(),
});

export type SecretVersion = {
  readonly text: string;
  readonly versionId: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
};

/** A secret of Secrets Manager that changes in versions. */
export type VersionedSecret = {
  read(): Promise<SecretVersion>;
  /**
   * Stores a text as the current version under an id of the caller's choice.
   *
   * @returns `false` when a version with this id has another text already: somebody was first.
   */
  write(text: string, versionId: string): Promise<boolean>;
};

/** Source: Secrets Manager API reference, "GetSecretValue" and "PutSecretValue". */
export const openSecret = (
  account: Pick<AwsAccount, 'call'>,
  secretId: string,
): VersionedSecret => ({
  async read() {
    const { status, body } = await call(account, 'GetSecretValue', { SecretId: secretId });
    if (status !== 200) throw refused(status, body);
    const { SecretString: text, VersionId: versionId, CreatedDate } = secretSchema.parse(body);
    return { text, versionId, createdAt: Math.round(CreatedDate * 1_000) };
  },
  async write(text, versionId) {
    const { status, body } = await call(account, 'PutSecretValue', {
      SecretId: secretId,
      SecretString: text,
      ClientRequestToken: versionId,
    });
    if (status === 200) return true;
    const refusal = refusalSchema.safeParse(body).data;
    if (refusal?.__type?.endsWith('ResourceExistsException')) return false;
    throw refused(status, body);
  },
});

async function call(
  account: Pick<AwsAccount, 'call'>,
  action: string,
  input: Readonly<Record<string, string>>,
) {
  const { status, text } = await account.call({
    service: 'secretsmanager',
    headers: {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': `secretsmanager.${action}`,
    },
    body: JSON.stringify(input),
  });
  const body: unknown = JSON.parse(text);
  return { status, body };
}

function refused(status: number, body: unknown) {
  const { __type, message, Message } = refusalSchema.safeParse(body).data ?? {};
  return awsFailure(status, __type?.split('#').at(-1), message ?? Message);
}
