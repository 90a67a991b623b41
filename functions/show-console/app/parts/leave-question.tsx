import { useContext, useEffect, useState } from 'preact/hooks';
import { type Answered, followLeaving } from '../shared/leaving.ts';
import { Dialog, DialogContext } from './dialog.tsx';

/** Asks, above whatever is shown, before unsaved text is lost. Closing it stays. */
export function LeaveQuestion() {
  const [answered, setAnswered] = useState<{ readonly by: Answered }>();
  useEffect(() => followLeaving((by) => setAnswered({ by })), []);
  if (answered === undefined) return null;
  return (
    <Dialog
      title="Leave without saving?"
      onClosed={() => {
        answered.by(false);
        setAnswered(undefined);
      }}
    >
      <p>What you typed on this page isn’t saved.</p>
      <Answers answered={answered.by} />
    </Dialog>
  );
}

function Answers({ answered }: { answered: Answered }) {
  const dialog = useContext(DialogContext);
  return (
    <p class="buttons">
      <button type="button" class="main" onClick={() => dialog?.close()}>
        Stay
      </button>
      <button
        type="button"
        class="danger"
        onClick={() => {
          answered(true);
          dialog?.close();
        }}
      >
        Leave without saving
      </button>
    </p>
  );
}
