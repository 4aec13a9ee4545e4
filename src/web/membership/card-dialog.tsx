import { useRootData } from '../root-data.ts';
import { Dialog } from '../ui/dialog.tsx';
import { useLoaded } from '../ui/use-loaded.ts';
import { CardFormWait } from './card-form-wait.tsx';

// With it come the provider's packages, which nothing else here needs.
const loadForm = () => import('./card-change-form.tsx');

type CardDialogProps = { open: boolean; onClose: () => void; isPastDue: boolean };

/** Another card for the charges to come. */
export function CardDialog({ open, onClose, isPastDue }: CardDialogProps) {
  const settings = useRootData()?.payments;
  const form = useLoaded(loadForm, open);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      dismissedBy="button"
      title="Use another card"
      description={
        isPastDue
          ? 'What is open is charged to it at once, and the payments to come.'
          : 'The payments to come are charged to it.'
      }
    >
      {form && settings ? <form.CardChangeForm settings={settings} onDone={onClose} /> : <CardFormWait />}
    </Dialog>
  );
}
