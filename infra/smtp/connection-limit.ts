import { createHash } from 'node:crypto';

/** How many connections there are of each address, or with each key. */
export function openCrowd(most: number) {
  const names = new Map<string, string>();
  const counts = new Map<string, number>();
  const count = (name: string, change: 1 | -1) => {
    const left = (counts.get(name) ?? 0) + change;
    if (left === 0) counts.delete(name);
    else counts.set(name, left);
  };
  return {
    /** @returns whether there was room. */
    enter(connection: string, who: string): boolean {
      if (names.has(connection)) return true;
      const name = createHash('sha256').update(who).digest('base64');
      if ((counts.get(name) ?? 0) >= most) return false;
      names.set(connection, name);
      count(name, 1);
      return true;
    },
    leave(connection: string): void {
      const name = names.get(connection);
      if (name === undefined) return;
      names.delete(connection);
      count(name, -1);
    },
  };
}
export type Crowd = ReturnType<typeof openCrowd>;
