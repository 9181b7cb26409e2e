-- The parameters that a call was made without, as its answer named them. Null in the rows of a version that does not know it.
alter table call_log add column ignored_parameters text;
