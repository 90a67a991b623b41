import type { SMTPServerDataStream } from 'smtp-server';

/** How long a message may take at most, however fast it comes. */
const receiveMs = 300_000;
/** In each window, a message that isn't whole yet has to grow by so much. */
export const windowMs = 30_000;
export const leastBytesPerWindow = 15_000;

/** Why a message didn't come whole. */
export type Broken = 'broke_off' | 'too_slow' | 'too_large' | 'too_much_at_once';

/**
 * Reads messages as they come, any number at once: whoever sends one slowly holds up nobody. What all of them have in
 * memory is bounded: beyond `mostBytes`, a message that has more than its equal share is refused.
 *
 * @returns a function that reads a message and works on it.
 */
export function openReceiving(mostBytes: number) {
  const held = new Set<Held>();
  const isTooMuch = (bytes: number): boolean => {
    const all = [...held].reduce((sum, one) => sum + one.bytes, 0);
    return all > mostBytes && bytes > mostBytes / held.size;
  };
  return async <Result>(
    stream: SMTPServerDataStream,
    work: (raw: Buffer | Broken) => Promise<Result>,
  ): Promise<Result> => {
    const mine: Held = { bytes: 0 };
    held.add(mine);
    try {
      const hasRoom = (length: number): boolean => {
        mine.bytes += length;
        return !isTooMuch(mine.bytes);
      };
      return await work(await receive(stream, hasRoom));
    } finally {
      held.delete(mine);
    }
  };
}

type Held = { bytes: number };

function receive(
  stream: SMTPServerDataStream,
  hasRoom: (length: number) => boolean,
): Promise<Buffer | Broken> {
  const { promise, resolve } = Promise.withResolvers<Buffer | Broken>();
  let chunks: Buffer[] | undefined = [];
  // The client may go on for as long as it likes: nothing of that is kept.
  const giveUp = (why: Broken) => {
    chunks = undefined;
    resolve(why);
    if (why === 'too_slow') stream.destroy();
  };
  const deadline = setTimeout(() => giveUp('too_slow'), receiveMs);
  let before = 0;
  const pace = setInterval(() => {
    const isTooSlow = stream.byteLength - before < leastBytesPerWindow;
    before = stream.byteLength;
    if (isTooSlow) giveUp('too_slow');
  }, windowMs);
  stream.on('data', (chunk: Buffer) => {
    if (chunks === undefined) return;
    if (stream.sizeExceeded) return giveUp('too_large');
    chunks.push(chunk);
    if (!hasRoom(chunk.length)) giveUp('too_much_at_once');
  });
  stream.once('end', () =>
    stream.sizeExceeded ? giveUp('too_large') : resolve(Buffer.concat(chunks ?? [])),
  );
  stream.once('error', () => giveUp('broke_off'));
  stream.once('close', () => giveUp('broke_off'));
  if (stream.destroyed) giveUp('broke_off');
  return promise.finally(() => {
    clearTimeout(deadline);
    clearInterval(pace);
  });
}
