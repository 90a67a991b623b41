import { createContext } from 'preact';
import type { Session } from './session.ts';

type SignedIn = {
  readonly session: Session | undefined;
  /** Reads anew who is signed in: the organization may have another name. */
  readonly reload: () => Promise<void>;
};

/** Who is signed in, for pages that tell one's own key from others. */
export const SessionContext = createContext<SignedIn>({
  session: undefined,
  reload: async () => {},
});
