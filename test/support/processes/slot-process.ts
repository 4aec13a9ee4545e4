import { openMachineSlots } from '#db/machine-slots.ts';

/** Takes the only slot of a machine, says so, and keeps it. */
const [directUrl = '', machine = ''] = process.argv.slice(2);
const inSlot = openMachineSlots({ directUrl, machine, max: 1 });
await inSlot(async () => {
  process.send?.('taken');
  await new Promise(() => setInterval(() => {}, 1000));
});
