import { attachmentsBucketName } from '../environment.ts';

/** Creates the bucket of uploaded attachments, unless it is there. */
export async function createAttachmentsBucket(endpoint: string): Promise<void> {
  const response = await fetch(`${endpoint}/${attachmentsBucketName}`, { method: 'PUT' });
  await response.body?.cancel();
  const isThere = response.ok || response.status === 409;
  if (!isThere) throw new Error(`S3 answered ${response.status} to the creation of a bucket`);
}
