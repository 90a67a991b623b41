import { Dialog } from '../parts/dialog.tsx';
import { hasShortcuts } from '../shared/shortcuts.ts';

const keys = [
  ['⌘ K or Ctrl K', 'Search addresses, emails, actions and pages'],
  ['/', 'Go to the search box'],
  ['J  K', 'Next and previous row; the arrow keys too'],
  ['Space', 'Show the email beside the list, or hide it'],
  ['Enter', 'Open the row'],
  ['Esc', 'Close what is open, or clear the search'],
  ['?', 'This list'],
] as const;

export const Keys = ({ onClosed }: { onClosed: () => void }) => (
  <Dialog title="Keys" onClosed={onClosed}>
    <dl class="facts keys">
      {keys.map(([key, does]) => (
        <div key={key}>
          <dt>
            <kbd>{key}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
    {!hasShortcuts() && (
      <p class="quiet">Single keys are off in this browser. Turn them on in Settings.</p>
    )}
  </Dialog>
);
