import { createHash } from 'node:crypto';

/** Limits the open connections per client: an address or a key. */
export function createConnectionLimit(most: number) {
  const clients = new Map<string, string>();
  const counts = new Map<string, number>();
  const count = (digest: string, change: 1 | -1) => {
    const left = (counts.get(digest) ?? 0) + change;
    if (left === 0) counts.delete(digest);
    else counts.set(digest, left);
  };
  return {
    /** @returns `false` if the client already has the most connections. */
    enter(connection: string, client: string): boolean {
      if (clients.has(connection)) return true;
      const digest = createHash('sha256').update(client).digest('base64');
      if ((counts.get(digest) ?? 0) >= most) return false;
      clients.set(connection, digest);
      count(digest, 1);
      return true;
    },
    leave(connection: string): void {
      const digest = clients.get(connection);
      if (digest === undefined) return;
      clients.delete(connection);
      count(digest, -1);
    },
  };
}
export type ConnectionLimit = ReturnType<typeof createConnectionLimit>;
