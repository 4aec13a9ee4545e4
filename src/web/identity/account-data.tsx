import { useEffect, useState } from 'react';
import { apiFetch } from '../api.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useToast } from '../ui/toast.tsx';
import { AccountFact } from './account-row.tsx';

const loadDeletion = () => import('./account-deletion.tsx');
type Deletion = Awaited<ReturnType<typeof loadDeletion>>;

type AccountDataProps = { siteName: string; hasPassword: boolean | null };

/** Taking everything along, and leaving nothing behind. */
export function AccountData({ siteName, hasPassword }: AccountDataProps) {
  const showToast = useToast();
  const [isPacking, setIsPacking] = useState(false);
  const [deletion, setDeletion] = useState<Deletion>();
  const [isDeleting, setIsDeleting] = useState(false);

  useEffect(() => void loadDeletion().catch(() => undefined), []);

  async function download(): Promise<void> {
    if (isPacking) return;
    setIsPacking(true);
    showToast({ text: await downloadData() });
    setIsPacking(false);
  }

  async function openDeletion(): Promise<void> {
    const loaded = await loadDeletion().catch(() => undefined);
    if (loaded === undefined) return showToast({ text: 'No internet connection' });
    setDeletion(loaded);
    setIsDeleting(true);
  }

  return (
    <section id="data" tabIndex={-1} aria-label="Your data">
      <h2 className="t-26">Your data</h2>
      <noscript>
        <p className="mt-2 text-soft">Downloading your data and deleting your account need JavaScript.</p>
      </noscript>
      <dl className="dl">
        <AccountFact label="Export" value={`All that ${siteName} knows of you, as a ZIP of JSON files`}>
          <button
            type="button"
            className="link"
            aria-label="Download your data"
            aria-disabled={isPacking || undefined}
            onClick={() => void download()}
          >
            {isPacking ? 'Packing…' : 'Download'}
          </button>
        </AccountFact>
        <AccountFact label="Account" value="Delete it, with all that belongs to it">
          <button
            type="button"
            className="link link--d"
            aria-label="Delete account"
            onClick={() => void openDeletion()}
          >
            Delete
          </button>
        </AccountFact>
      </dl>
      <Dialog
        open={isDeleting}
        onClose={() => setIsDeleting(false)}
        dismissedBy="button"
        title="Delete your account"
        description="Your profile, your playlists, your sessions and everything else that belongs to your account are deleted at once, and a subscription ends. Nobody can bring them back."
      >
        {deletion && <deletion.AccountDeletion hasPassword={hasPassword} onKept={() => setIsDeleting(false)} />}
      </Dialog>
    </section>
  );
}

/** @returns what to tell the user */
async function downloadData(): Promise<string> {
  try {
    const answer = await apiFetch('/v1/api/user/export');
    if (answer.status === 429) return 'You have just done this. Please wait a while.';
    if (!answer.ok) return 'Something went wrong. Please try again.';
    saveFile(await answer.blob(), 'my-data.zip');
    return 'Your data is downloaded';
  } catch {
    return 'No internet connection';
  }
}

function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers only begin to read it after the press.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
