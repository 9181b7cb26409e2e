-- How many attempts to connect a row stands for: those that are refused in great number are counted per minute.
-- Null means one. The version before this one writes null, because it names every column that it finds.
alter table connection_logs add column attempts integer;
