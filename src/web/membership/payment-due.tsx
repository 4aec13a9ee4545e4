import { href, Link } from 'react-router';
import { Button } from '../ui/button.tsx';
import { DialogText, DialogTitle } from '../ui/layers/dialog-window.tsx';

/** For subscribers whose last payment failed: a second subscription would be refused. */
export function PaymentDue({ name, onLeave }: { name?: string | undefined; onLeave: () => void }) {
  return (
    <>
      <DialogTitle>Your last payment did not go through</DialogTitle>
      <DialogText>
        You can hear {name === undefined ? 'all audios' : `“${name}”`} again once a payment succeeds.
      </DialogText>
      <div className="form">
        <Button
          variant="primary"
          size="lg"
          width="full"
          render={<Link to={href('/account/subscription')} />}
          onClick={onLeave}
        >
          Update payment method
        </Button>
      </div>
    </>
  );
}
