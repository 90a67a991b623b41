import { Moment } from './text.tsx';

/** A key's use, or a person's, is recorded at most this often. */
const hourMs = 3_600_000;

/** What was recorded within the hour may have been used a second ago. */
export function LastUsed({ at, inRow = false }: { at: number | undefined; inRow?: boolean }) {
  if (at === undefined) return <>Never</>;
  return Date.now() - at < hourMs ? (
    <>In the last hour</>
  ) : (
    <Moment at={at} inRow={inRow} within={hourMs} />
  );
}
