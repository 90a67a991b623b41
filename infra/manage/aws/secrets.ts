import { exitCodes, Failure } from '../failure.ts';
import { type AwsAccount, askAws } from './aws-account.ts';

export type SecretVersion = {
  readonly text: string;
  readonly versionId: string;
  readonly createdAt: number;
};

export type VersionedSecret = {
  read(): Promise<SecretVersion>;
  /**
   * Becomes the current version.
   *
   * @returns `false` if a version with this id has a different text: someone else was first.
   */
  write(text: string, versionId: string): Promise<boolean>;
};

const sdk = () => import('@aws-sdk/client-secrets-manager');

/** Source: Secrets Manager API reference, "GetSecretValue" and "PutSecretValue". */
export const openSecret = (account: AwsAccount, secretId: string): VersionedSecret => ({
  read: () =>
    askAws(async () => {
      const { SecretsManagerClient, GetSecretValueCommand } = await sdk();
      const client = new SecretsManagerClient(account);
      const {
        SecretString: text,
        VersionId: versionId,
        CreatedDate,
      } = await client.send(new GetSecretValueCommand({ SecretId: secretId }));
      if (text === undefined || versionId === undefined || CreatedDate === undefined) {
        throw new Failure(exitCodes.failed, 'no_text', `The secret ${secretId} has no text value.`);
      }
      return { text, versionId, createdAt: CreatedDate.getTime() };
    }),
  write: (text, versionId) =>
    askAws(async () => {
      const { SecretsManagerClient, PutSecretValueCommand, ResourceExistsException } = await sdk();
      const input = { SecretId: secretId, SecretString: text, ClientRequestToken: versionId };
      try {
        await new SecretsManagerClient(account).send(new PutSecretValueCommand(input));
        return true;
      } catch (error) {
        if (error instanceof ResourceExistsException) return false;
        throw error;
      }
    }),
});
